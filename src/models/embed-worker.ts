/** A thread that embeds passages: gets its options once, then texts one by one. Its other side is `pool.ts`. */
import { messageOf } from "../errors.ts";
import { type Embedder, openEmbedder } from "./embed.ts";
import type { FromWorker, ToWorker } from "./pool.ts";

declare const self: Worker & { onmessage: ((event: MessageEvent<ToWorker>) => void) | null };

let embedder: Embedder | undefined;
/** Messages wait for each other: to close a model while it reads a text would end the process. */
let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }) => {
  last = last.then(() => handle(data));
};

async function handle(message: ToWorker): Promise<void> {
  try {
    if ("options" in message) {
      embedder = openEmbedder(message.options);
      await embedder.ready();
      reply({ ready: true });
    } else if ("end" in message) {
      await embedder?.close();
      reply({ ended: true });
    } else if (embedder !== undefined) {
      for await (const made of embedder.embedPassages([message.text])) reply({ ...made, index: message.index });
    }
  } catch (error) {
    reply({ broken: messageOf(error) });
  }
}

function reply(message: FromWorker): void {
  const buffer = "vector" in message ? message.vector.buffer : undefined;
  self.postMessage(message, { transfer: buffer instanceof ArrayBuffer ? [buffer] : [] });
}
