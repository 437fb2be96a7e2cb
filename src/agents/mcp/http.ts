import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { GestaltError, messageOf } from "../../errors.ts";
import { stateDir } from "../../settings.ts";
import { plain } from "./plain.ts";

export type HttpServer = {
  readonly url: string;
  /** Where the token lies that clients must send, for its user alone to read. */
  readonly tokenFile: string;
  /** Resolves when the server has ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/**
 * Serves many clients over streamable HTTP, at `/mcp` on the loopback address alone, until it is closed or the process is
 * asked to end. A page in a browser gets 403: its `Host` or `Origin` is not this machine's. Without the token: 401.
 *
 * @param port 0 for a free one
 * @throws GestaltError "io" when the port cannot be had
 */
export function serveHttp(factory: McpServerFactory, port: number): HttpServer {
  const tokenFile = join(stateDir(), "mcp-token");
  const expected = tokenAt(tokenFile);
  const handler = createMcpHandler(factory);
  const server = listening({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 120,
    async fetch(request) {
      const foreign =
        hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins());
      if (foreign !== undefined) return foreign;
      if (new URL(request.url).pathname !== "/mcp") return new Response("Not found", { status: 404 });
      // The scheme's name is the same in any letter case.
      const [, token = ""] = /^Bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
      if (!same(token, expected))
        return new Response(`The token lies in ${tokenFile}`, {
          status: 401,
          headers: { "www-authenticate": "Bearer" },
        });
      return await handler.fetch(await readable(request));
    },
  });
  const ended = Promise.withResolvers<void>();
  const close = async (): Promise<void> => {
    await handler.close();
    await server.stop(true);
    ended.resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, close);
  return { url: `http://127.0.0.1:${server.port}/mcp`, tokenFile, closed: ended.promise, close };
}

/** Characters of a body that are read here; of a longer one the SDK decides. */
const longest = 1_000_000;

/** The same request, its calls in the form that the SDK takes. */
async function readable(request: Request): Promise<Request> {
  if (request.method !== "POST" || Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY) > longest)
    return request;
  const text = await request.text();
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return new Request(request.url, { method: "POST", headers, body: asPlain(text), signal: request.signal });
}

function asPlain(text: string): string {
  try {
    return JSON.stringify(plain(JSON.parse(text)));
  } catch {
    return text;
  }
}

function listening(options: Parameters<typeof Bun.serve>[0]): ReturnType<typeof Bun.serve> {
  try {
    return Bun.serve(options);
  } catch (error) {
    throw new GestaltError("io", `no server can be started: ${messageOf(error)}`, "gestalt mcp --http 0", {
      cause: error,
    });
  }
}

/** The user's token, made at the first start. */
function tokenAt(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch {
    // There is one already.
  }
  const token = readFileSync(file, "utf8").trim();
  if (token.length < 20) throw new Error(`${file} holds no token; remove it, and another is made`);
  return token;
}

/** Compares in a time that does not depend on where two texts differ. */
function same(given: string, expected: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
