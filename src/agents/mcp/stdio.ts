import { PassThrough, type Readable, type Writable } from "node:stream";
import type { JSONRPCMessage, McpServerFactory, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { plain } from "./plain.ts";

/** Milliseconds that answers under way are waited for after the client has closed its end. */
const grace = 10_000;

/**
 * Serves one client over a pair of streams until it closes its end, of either era of the protocol: the client's first words
 * decide. What was asked before the end is answered before this returns.
 */
export async function serveStreams(factory: McpServerFactory, input: Readable, output: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    serveStdio(factory, { transport: patient(input, output, resolve) });
  });
}

/** The SDK's transport, which drops what is under way when its input ends, behind an input that ends when all is answered. */
function patient(input: Readable, output: Writable, onEnd: () => void): Transport {
  const held = new PassThrough();
  const inner = new StdioServerTransport(held, output);
  const open = new Set<RequestId>();
  let ended = false;
  const settle = (): void => {
    if (ended && open.size === 0) held.end();
  };
  const finish = (): void => {
    if (ended) return;
    ended = true;
    // A last line counts without its end too.
    held.write("\n");
    // What was read last may still lie between the two streams.
    setImmediate(settle);
    setTimeout(() => held.end(), grace).unref();
  };
  input.on("data", (chunk) => held.write(chunk));
  input.once("end", finish);
  input.once("close", finish);
  input.once("error", finish);

  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    async send(message) {
      await inner.send(message);
      const id = answeredBy(message);
      if (id !== undefined) open.delete(id);
      settle();
    },
  };
  inner.onmessage = (message) => {
    if ("method" in message && "id" in message) open.add(message.id);
    const given_up = cancelledBy(message);
    if (given_up !== undefined) open.delete(given_up);
    // Arguments take another form only; a message stays a message.
    outer.onmessage?.(plain(message) as JSONRPCMessage);
  };
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => {
    outer.onclose?.();
    onEnd();
  };
  return outer;
}

const answeredBy = (message: JSONRPCMessage): RequestId | undefined =>
  "id" in message && !("method" in message) ? message.id : undefined;

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
