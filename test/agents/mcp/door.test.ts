import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { tools } from "../../../src/agents/tools/all.ts";
import { type Door, openDoor } from "../../door.ts";

// Far above what a call takes, for machines that have much else to do.
setDefaultTimeout(120_000);

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  door.write(
    "queue.md",
    "---\ntags: [ops]\n---\n# Retry queue\n\nWe dropped the retry queue for poison messages. ^why\n",
  );
  door.write("secret.md", "---\nsensitivity: restricted\n---\n# Secret\n\nThe queue costs 5.\n");
});

const names = tools.filter(({ unlisted }) => !unlisted).map(({ name }) => name);
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const statelessMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};
const call = (id: number, name: string, given: object | string | null) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

type Reply = { id: number; result?: Record<string, unknown>; error?: { code: number; message: string } };

/** Everything said to a server at once, and its stdout closed after it: every line that came back, parsed. */
async function said(messages: readonly unknown[], argv: readonly string[] = ["--vault", "."]): Promise<Reply[]> {
  const stdin = messages
    .map((message) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`)
    .join("");
  const { stdout, code } = await door.run(["mcp", ...argv], { stdin });
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const reply = (replies: readonly Reply[], id: number): Reply => {
  const found = replies.filter((candidate) => candidate.id === id);
  expect(found).toHaveLength(1);
  return found[0]!;
};

const transport = () => ({
  command: door.executable,
  args: ["mcp", "--vault", "."],
  cwd: door.notes,
  env: { HOME: door.home, PATH: "/usr/bin:/bin", XDG_CACHE_HOME: `${door.home}/.cache`, GESTALT_SERVE: "off" },
  stderr: "ignore" as const,
});

describe("on stdio", () => {
  test("a last line is answered that has no end", async () => {
    const search = call(2, "gestalt_search", { query: "queue", mode: "lexical" });
    const stdin = [initialize, search].map((message) => JSON.stringify(message)).join("\n");
    const { stdout, code } = await door.run(["mcp", "--vault", "."], { stdin });
    expect(code).toBe(0);
    const lines = stdout.split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  test("what was asked before stdin ended is answered, each answer with its question's id, and the process ends", async () => {
    const asked = Array.from({ length: 20 }, (_, i) =>
      call(
        100 + i,
        i % 2 === 0 ? "gestalt_search" : "gestalt_manifest",
        i % 2 === 0 ? { query: "queue", mode: "lexical" } : {},
      ),
    );
    const replies = await said([initialize, { jsonrpc: "2.0", method: "notifications/initialized" }, ...asked]);
    expect(replies).toHaveLength(21);
    for (const { id, params } of asked) {
      const { result } = reply(replies, id);
      const key = params.name === "gestalt_search" ? "hits" : "entries";
      expect(result?.["structuredContent"]).toHaveProperty(key);
    }
  });

  test("the list of tools costs a session at most 6,000 characters in either era, and the instructions 500", async () => {
    const replies = await said([initialize, { jsonrpc: "2.0", id: 2, method: "tools/list" }]);
    const stateless = await said([{ jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: statelessMeta } }]);
    for (const { result } of [reply(replies, 2), reply(stateless, 2)])
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(6000);
    const { tools: listed } = reply(replies, 2).result as { tools: { name: string; annotations: object }[] };
    expect(listed.map(({ name }) => name)).toEqual(names);
    for (const { name, annotations } of listed)
      expect(annotations).toEqual({
        readOnlyHint: name !== "gestalt_inbox_add",
        destructiveHint: false,
        idempotentHint: name !== "gestalt_inbox_add",
        openWorldHint: false,
      });
    expect(String(reply(replies, 1).result?.["instructions"]).length).toBeLessThanOrEqual(500);
  });

  test.each(names)(
    "%s refuses a key that it does not know, as a fault of the call and not of the protocol",
    async (name) => {
      const { result } = reply(await said([initialize, call(2, name, { qurey: "x" })]), 2);
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/fault.*"qurey"/) }] });
    },
  );

  test("arguments may be null, empty texts, or an object as text", async () => {
    const replies = await said([
      initialize,
      call(2, "gestalt_manifest", null),
      call(3, "gestalt_manifest", { query: "" }),
      call(4, "gestalt_search", '{"query":"queue","mode":"lexical"}'),
    ]);
    expect(reply(replies, 2).result?.["structuredContent"]).toMatchObject({ notes: 1, entries: [] });
    expect(reply(replies, 3).result).toEqual(reply(replies, 2).result);
    expect(reply(replies, 4).result?.["structuredContent"]).toMatchObject({ hits: [{ path: "queue.md" }] });
  });

  test("text is the same as data, and holds no word of a restricted note", async () => {
    const { result } = reply(
      await said([initialize, call(2, "gestalt_search", { query: "queue", limit: "5", semantic: "false" })]),
      2,
    );
    const content = result?.["content"] as { text: string }[];
    expect(JSON.parse(content[0]!.text)).toEqual(result?.["structuredContent"]);
    expect(content[0]!.text).not.toContain("costs 5");
    expect(result?.["structuredContent"]).toMatchObject({
      hits: [{ id: "queue.md#retry-queue", evidence: "slug-exact", create_safety: "exists" }],
      withheld: ["secret"],
      index: { fresh: true },
    });
  });

  test("lines that are no messages cost nothing but themselves", async () => {
    const junk = ["", "not json", "[]", "null", "{}", '{"jsonrpc":"1.0"}', "\u0000", `"${"x".repeat(100_000)}"`];
    const replies = await said([initialize, ...junk, call(2, "gestalt_read", { address: "queue" })]);
    expect(reply(replies, 2).result?.["structuredContent"]).toMatchObject({ path: "queue.md" });
  });

  test("an unknown tool, method, prompt and resource are errors with their codes", async () => {
    const replies = await said([
      initialize,
      call(2, "gestalt_forget", {}),
      { jsonrpc: "2.0", id: 3, method: "notes/forget" },
      { jsonrpc: "2.0", id: 4, method: "prompts/get", params: { name: "forget" } },
      { jsonrpc: "2.0", id: 5, method: "resources/read", params: { uri: "note://nowhere" } },
    ]);
    expect([2, 3, 4, 5].map((id) => reply(replies, id).error?.code)).toEqual([-32602, -32601, -32602, -32602]);
  });

  test("where there are no notes the server lives, and each call says what to do", async () => {
    const replies = await said([initialize, call(2, "gestalt_search", { query: "x" })], []);
    expect(reply(replies, 2).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/fault.*no notes found[\s\S]*--vault/) }],
    });
  });

  test("a note that is written between two calls is found by the second", async () => {
    const child = door.spawn(["mcp", "--vault", "."]);
    const lines = linesOf(child.stdout);
    const ask = async (message: object) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      await child.stdin.flush();
      return JSON.parse((await lines.next()).value ?? "null");
    };
    await ask(initialize);
    for (let i = 2; i < 12; i++) {
      const word = `zz${"abcdefghijkl"[i]}zz`;
      door.write("fresh.md", `# Fresh\n\n${word}\n`);
      const { result } = await ask(call(i, "gestalt_search", { query: word, mode: "lexical", limit: 1 }));
      expect(result.structuredContent.hits).toMatchObject([{ path: "fresh.md" }]);
    }
    child.stdin.end();
    expect(await child.exited).toBe(0);
  });
});

describe("with the SDK's clients", () => {
  test("the earlier one, which opens with initialize", async () => {
    const client = new EarlierClient({ name: "test", version: "1" });
    await client.connect(new EarlierTransport(transport()));
    expect(client.getServerVersion()).toMatchObject({ name: "gestalt" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
    // The client checks structuredContent against the output schema that was listed.
    for (const [name, given] of samples)
      expect((await client.callTool({ name, arguments: given })).isError).toBeFalsy();
    expect((await client.listResources()).resources[0]).toMatchObject({ uri: "note://fresh.md" });
    expect((await client.listResourceTemplates()).resourceTemplates[0]).toMatchObject({
      uriTemplate: "note://{+path}",
    });
    const prompt = await client.getPrompt({ name: "recall", arguments: { topic: "queue" } });
    expect(prompt.messages).toHaveLength(1);
    await client.close();
  });

  test.each(["legacy", "auto", { pin: "2026-07-28" }] as const)(
    "the present one, negotiating %j",
    async (mode) => {
      const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new ModernTransport(transport()));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
      for (const [name, given] of samples)
        expect((await client.callTool({ name, arguments: given })).isError).toBeFalsy();
      expect(client.getInstructions()).toContain("gestalt_search");
      await client.close();
    },
    60_000,
  );
});

const samples: readonly (readonly [string, Record<string, unknown>])[] = [
  ["gestalt_search", { query: "queue", mode: "lexical" }],
  ["gestalt_search_fts", { query: "queue" }],
  ["gestalt_read", { address: "queue" }],
  ["gestalt_manifest", { query: "retry" }],
  ["gestalt_graph", {}],
  ["gestalt_route", { request: "commit" }],
];

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
