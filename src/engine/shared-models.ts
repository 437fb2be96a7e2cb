import type { Embedder } from "../models/embed.ts";
import type { EmbedOptions } from "../models/plan.ts";

/** Embedding models that several engines of one process use, so that each is in memory once. */
export type SharedModels = {
  /** An embedder that may be closed and used as one's own; what is behind it stays. */
  open(options: EmbedOptions): Promise<Embedder>;
  /** Whether any model is in memory. */
  loaded(): boolean;
  /** Frees the memory. The next text loads its model again. */
  drop(): Promise<void>;
};

/** Vectors of questions that are kept: an agent, its hooks and its siblings ask the same things. */
const most = 200;

export function sharedModels(): SharedModels {
  const models = new Map<string, Embedder>();
  const questions = new Map<string, Promise<Float32Array>>();
  const current = async (fingerprint: string, options: EmbedOptions): Promise<Embedder> => {
    const { embedderInThread } = await import("../models/threaded.ts");
    const found = models.get(fingerprint) ?? embedderInThread(options);
    models.set(fingerprint, found);
    return found;
  };
  const vectorOf = async (fingerprint: string, options: EmbedOptions, text: string): Promise<Float32Array> => {
    const key = `${fingerprint} ${text}`;
    const vector = questions.get(key) ?? (await current(fingerprint, options)).embedQuery(text);
    questions.delete(key);
    questions.set(key, vector);
    vector.catch(() => questions.delete(key));
    const [oldest = key] = questions.keys();
    if (questions.size > most) questions.delete(oldest);
    return await vector;
  };
  return {
    async open(options) {
      const { openEmbedder } = await import("../models/embed.ts");
      // Opening loads nothing: it only tells what the options mean.
      const { profile, fingerprint, dims } = openEmbedder(options);
      return {
        profile,
        fingerprint,
        dims,
        ready: async () => (await current(fingerprint, options)).ready(),
        embedQuery: (text) => vectorOf(fingerprint, options, text),
        async *embedPassages(texts, run) {
          yield* (await current(fingerprint, options)).embedPassages(texts, run);
        },
        close: async () => {},
      };
    },
    loaded: () => models.size > 0,
    async drop() {
      const dropped = [...models.values()];
      models.clear();
      questions.clear();
      await Promise.all(dropped.map((model) => model.close()));
    },
  };
}
