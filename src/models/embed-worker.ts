/** A thread that embeds passages: gets its options once, then texts one by one. Its other side is `pool.ts`. */
import { messageOf } from "../errors.ts";
import { type Embedder, openEmbedder } from "./embed.ts";
import type { FromWorker, ToWorker } from "./pool.ts";

declare const self: Worker & { onmessage: ((event: MessageEvent<ToWorker>) => void) | null };

let embedder: Embedder | undefined;

self.onmessage = async ({ data }) => {
  try {
    if ("options" in data) {
      embedder = openEmbedder(data.options);
      await embedder.ready();
      reply({ ready: true });
    } else if ("end" in data) {
      await embedder?.close();
      reply({ ended: true });
    } else if (embedder !== undefined) {
      for await (const made of embedder.embedPassages([data.text])) reply({ ...made, index: data.index });
    }
  } catch (error) {
    reply({ broken: messageOf(error) });
  }
};

function reply(message: FromWorker): void {
  const buffer = "vector" in message ? message.vector.buffer : undefined;
  self.postMessage(message, { transfer: buffer instanceof ArrayBuffer ? [buffer] : [] });
}
