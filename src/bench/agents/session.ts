import { isFields, textOf } from "../json.ts";

/** An agent's session: `gestalt mcp`, spoken to over its stdin and stdout. */
export type Session = {
  readonly pid: number;
  /** Milliseconds from its start to its reply to `initialize`. */
  readonly readyMs: number;
  search(query: string, mode: "lexical" | "hybrid"): Promise<Searched>;
  /** Closes its stdin, and waits for its end. */
  end(): Promise<void>;
};

/** Milliseconds from the call to its answer, and how it was answered; "" when it was a fault. */
export type Searched = { readonly ms: number; readonly mode: string; readonly hits: number };

export async function openSession(
  executable: string,
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Session> {
  const start = performance.now();
  const child = Bun.spawn([executable, "mcp"], { ...where, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (message: unknown) => void>();
  void readLines(child.stdout, (message) => {
    if (isFields(message) && typeof message["id"] === "number") waiting.get(message["id"])?.(message);
  });
  let count = 0;
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++count;
    const reply = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await child.stdin.flush();
    const message = await reply;
    waiting.delete(id);
    return message;
  };
  await send("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "gestalt-bench", version: "1" },
  });
  const readyMs = performance.now() - start;
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    pid: child.pid,
    readyMs,
    async search(query, mode) {
      const asked = performance.now();
      const message = await send("tools/call", { name: "gestalt_search", arguments: { query, mode, limit: 5 } });
      const ms = performance.now() - asked;
      const result =
        isFields(message) && isFields(message["result"]) ? message["result"]["structuredContent"] : undefined;
      if (!isFields(result)) return { ms, mode: "", hits: 0 };
      return { ms, mode: textOf(result["mode"]), hits: Array.isArray(result["hits"]) ? result["hits"].length : 0 };
    },
    async end() {
      child.stdin.end();
      await child.exited;
    },
  };
}

/** Each line of a stream, read as JSON. */
async function readLines(stream: ReadableStream<Uint8Array>, onMessage: (message: unknown) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line));
  }
}
