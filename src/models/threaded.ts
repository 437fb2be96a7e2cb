import { type Embedded, type Embedder, openEmbedder } from "./embed.ts";
import type { EmbedOptions } from "./plan.ts";
import { start, type Thread } from "./pool.ts";

/** Who waits for which text's vector. */
type Asked = Map<number, (made: Embedded | undefined) => void>;

/** Tells all who wait that nothing will come. */
function release(asked: Asked): void {
  for (const give of asked.values()) give(undefined);
  asked.clear();
}

/**
 * An embedding model in a thread of its own, for a process that answers several at once: a run of the model keeps its thread busy for
 * 10 ms and more, in which this one can do other work. The same vectors as `openEmbedder` gives. The thread begins with the first text;
 * where it cannot, or stops, this thread does its work.
 *
 * @throws GestaltError as `openEmbedder` does
 */
export function embedderInThread(options: EmbedOptions): Embedder {
  const local = openEmbedder(options);
  let running: { readonly thread: Thread; readonly asked: Asked } | undefined;
  let broken = false;
  let count = 0;

  function begin(): { readonly thread: Thread; readonly asked: Asked } {
    const asked: Asked = new Map();
    const thread = start(options, {
      onFree(made) {
        if (made === undefined) return;
        asked.get(made.index)?.(made);
        asked.delete(made.index);
      },
      onStop() {
        broken = true;
        release(asked);
      },
    });
    return { thread, asked };
  }

  /** Undefined when the thread is gone. */
  function ask(text: string, as: "query" | "passage"): Promise<Embedded | undefined> {
    if (broken) return Promise.resolve(undefined);
    running ??= begin();
    const { thread, asked } = running;
    const index = count++;
    return new Promise((resolve) => {
      asked.set(index, resolve);
      thread.post({ index, text, as });
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
      await running?.thread.end();
      if (running !== undefined) release(running.asked);
      await local.close();
    },
  };
}
