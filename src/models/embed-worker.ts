/** A thread that embeds: gets its options once, then texts one by one. Its other side is `pool.ts`. */
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
    } else if (embedder !== undefined && message.as === "query") {
      reply({ index: message.index, ...(await queried(embedder, message.text)) });
    } else if (embedder !== undefined) {
      for await (const made of embedder.embedPassages([message.text])) reply({ ...made, index: message.index });
    }
  } catch (error) {
    reply({ broken: messageOf(error) });
  }
}

/** A question that fails is told of, and the next one is read. */
const queried = (embedder: Embedder, text: string) =>
  embedder.embedQuery(text).then(
    (vector) => ({ vector }),
    (error) => ({ failure: messageOf(error) }),
  );

function reply(message: FromWorker): void {
  const buffer = "vector" in message ? message.vector.buffer : undefined;
  self.postMessage(message, { transfer: buffer instanceof ArrayBuffer ? [buffer] : [] });
}
