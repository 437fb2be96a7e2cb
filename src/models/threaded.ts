import { type Embedded, type Embedder, openEmbedder } from "./embed.ts";
import type { EmbedOptions } from "./plan.ts";
import { start, type Thread } from "./pool.ts";

/**
 * An embedding model in a thread of its own, for a process that answers several at once: a run of the model keeps its thread busy for
 * 10 ms and more, in which this one can do other work. The same vectors as `openEmbedder` gives. The thread begins with the first text;
 * where it cannot, or stops, this thread does its work.
 *
 * @throws GestaltError as `openEmbedder` does
 */
export function embedderInThread(options: EmbedOptions): Embedder {
  const local = openEmbedder(options);
  /** Who waits for which text's vector. */
  const asked = new Map<number, (made: Embedded | undefined) => void>();
  let thread: Thread | undefined;
  let broken = false;
  let count = 0;

  /** Tells all who wait that nothing will come. */
  function release(): void {
    for (const give of asked.values()) give(undefined);
    asked.clear();
  }

  const begin = (): Thread =>
    start(options, {
      onFree(made) {
        if (made === undefined) return;
        asked.get(made.index)?.(made);
        asked.delete(made.index);
      },
      onStop() {
        broken = true;
        release();
      },
    });

  /** Undefined when the thread is gone. */
  function ask(text: string, as: "query" | "passage"): Promise<Embedded | undefined> {
    if (broken) return Promise.resolve(undefined);
    thread ??= begin();
    const { post } = thread;
    const index = count++;
    return new Promise((resolve) => {
      asked.set(index, resolve);
      post({ index, text, as });
    });
  }

  return {
    ...local,
    async embedQuery(text) {
      const made = await ask(text, "query");
      if (made === undefined) return await local.embedQuery(text);
      if ("vector" in made) return made.vector;
      throw new Error(made.failure);
    },
    async *embedPassages(texts, { signal } = {}) {
      for (const [index, text] of texts.entries()) {
        signal?.throwIfAborted();
        const made = await ask(text, "passage");
        if (made === undefined) for await (const own of local.embedPassages([text])) yield { ...own, index };
        else yield { ...made, index };
      }
    },
    async close() {
      broken = true;
      await thread?.end();
      release();
      await local.close();
    },
  };
}
