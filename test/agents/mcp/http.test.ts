import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Door, openDoor } from "../../door.ts";

// Far above what a call takes, for machines that have much else to do.
setDefaultTimeout(120_000);

let door: Door;
let server: ReturnType<Door["spawn"]>;
let url: URL;
let token: string;
beforeAll(async () => {
  door = await openDoor();
  door.write("queue.md", "# Retry queue\n\nWe dropped it.\n");
  server = door.spawn(["mcp", "--vault", ".", "--http", "0"]);
  let said = "";
  for await (const chunk of server.stderr) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("\n")) break;
  }
  const [, at = "", file = ""] = /listening on (\S+);.* token in (\S+):/.exec(said) ?? [];
  url = new URL(at);
  token = readFileSync(file, "utf8");
});
afterAll(async () => {
  server.kill();
  await server.exited;
});

const ping = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

/** node:http, because a Host of one's own choice is not to be had otherwise. */
const status = (headers: Record<string, string>, path = "/mcp") =>
  new Promise<number>((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: url.port,
        path,
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(ping);
  });

describe("over HTTP", () => {
  test("listens on the loopback address alone, and keeps its token for its user", () => {
    expect(url.hostname).toBe("127.0.0.1");
    expect(token.length).toBeGreaterThan(40);
    expect(statSync(join(door.home, ".local/state/gestalt/mcp-token")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["the token and this machine's name", {}, 200],
    ["an Origin of this machine", { origin: "http://localhost:3000" }, 200],
    ["no token", { authorization: "" }, 401],
    ["another token", { authorization: "Bearer abc" }, 401],
    ["a token of the same length", { authorization: `Bearer ${"x".repeat(43)}` }, 401],
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["a null Origin", { origin: "null" }, 403],
    ["a foreign Host", { host: "evil.example" }, 403],
    ["a Host that begins like ours", { host: "127.0.0.1.evil.example" }, 403],
    ["a Host that begins like ours, and its token", { host: "localhost.evil.example:80" }, 403],
  ])("%s: answers as it should", async (_, headers, expected) => {
    expect(await status(headers)).toBe(expected);
  });

  test("takes the token after any spelling of the scheme", async () => {
    expect(await status({ authorization: `bearer ${token}` })).toBe(200);
    expect(await status({ authorization: token })).toBe(401);
  });

  test.each([
    ["gestalt_manifest", null],
    ["gestalt_search", '{"query":"queue","limit":"1"}'],
  ])("takes what clients send in place of an object, as on stdio: %s with %j", async (name, given) => {
    const said = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    });
    expect(await said.text()).toContain('"structuredContent"');
  });

  test("serves no other path", async () => {
    expect(await status({}, "/")).toBe(404);
    expect(await status({ authorization: "" }, "/mcp/../secret")).toBe(404);
  });

  test("serves clients of both eras, many at once, each its own answer", async () => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const asking = async (i: number) => {
      const client =
        i % 2 === 0
          ? new EarlierClient({ name: "t", version: "1" })
          : new ModernClient({ name: "t", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      if (client instanceof EarlierClient) await client.connect(new EarlierTransport(url, { requestInit }));
      else await client.connect(new ModernTransport(url, { requestInit }));
      const { structuredContent } = await client.callTool({
        name: "gestalt_search",
        arguments: { query: `queue ${i}`, mode: "lexical" },
      });
      await client.close();
      return structuredContent;
    };
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => asking(i)));
    for (const [i, answer] of answers.entries())
      expect(answer).toMatchObject({ query: `queue ${i}`, hits: [{ path: "queue.md" }] });
  });

  test("ends when it is asked to", async () => {
    const other = door.spawn(["mcp", "--vault", ".", "--http", "0"]);
    for await (const _ of other.stderr) break;
    other.kill("SIGTERM");
    expect(await other.exited).toBe(0);
  });
});
