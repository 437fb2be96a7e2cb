import { GestaltError, messageOf } from "../errors.ts";
import { encoderThreads, place } from "./device.ts";
import { project, readHead } from "./head.ts";
import { type EmbedOptions, type EmbedPlan, planEmbedding } from "./plan.ts";
import { layerNorm, poolings, unit } from "./pooling.ts";
import type { Provider } from "./session.ts";
import { openTokenizer } from "./tokenizer.ts";

/** What became of the text at `index`: its vector, or why it has none. */
export type Embedded =
  | { readonly index: number; readonly vector: Float32Array }
  | { readonly index: number; readonly failure: string };

/** An embedding model. Nothing is loaded before the first text; one text a run, so a vector is a function of its text alone. */
export type Embedder = {
  readonly profile: string;
  readonly fingerprint: string;
  /** Numbers in a vector. */
  readonly dims: number;
  /** Loads the model now, and says where it runs and, in one line, why not where it was asked to. */
  ready(): Promise<{ readonly provider: Provider; readonly note: string | undefined }>;
  /** @throws Error when the model cannot be loaded or fails on this text */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * The texts' vectors as they are made. A text that fails is told of and the rest go on.
   *
   * @throws Error when the model cannot be loaded; the signal's reason when it is aborted
   */
  embedPassages(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<Embedded>;
  /** Frees the model. It cannot be used again. */
  close(): Promise<void>;
};

/**
 * Opens an embedding model in this thread.
 *
 * @throws GestaltError "usage" for an unknown profile, variant or width, "model-missing" when its weights are not there
 */
export const openEmbedder = (options: EmbedOptions): Embedder => embedderOf(planEmbedding(options), options);

/** The embedder of a plan, whatever made it. */
export function embedderOf(plan: EmbedPlan, options: Pick<EmbedOptions, "device" | "threads">): Embedder {
  let loading: Promise<Loaded> | undefined;
  let closed = false;

  const load = (): Promise<Loaded> => {
    if (closed) throw new Error("the embedder has been closed");
    loading ??= loadModel(plan, options).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return {
    profile: plan.name,
    fingerprint: plan.fingerprint,
    dims: plan.width,
    async ready() {
      const { provider, note } = await load();
      return { provider, note };
    },
    async embedQuery(text) {
      return (await load()).vectorOf(plan.profile.prefix.query + text);
    },
    async *embedPassages(texts, { signal } = {}) {
      if (texts.length === 0) return;
      const model = await load();
      for (const [index, text] of texts.entries()) {
        signal?.throwIfAborted();
        yield await model.vectorOf(plan.profile.prefix.passage + text).then(
          (vector) => ({ index, vector }),
          (error) => ({ index, failure: messageOf(error) }),
        );
      }
    },
    async close() {
      closed = true;
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}

type Loaded = {
  readonly provider: Provider;
  readonly note: string | undefined;
  vectorOf(text: string): Promise<Float32Array>;
  close(): Promise<void>;
};

async function loadModel(plan: EmbedPlan, options: Pick<EmbedOptions, "device" | "threads">): Promise<Loaded> {
  const { profile, files, dtype, width, normalise } = plan;
  try {
    const { settings, vocabulary } = files.tokenizer();
    const tokenizer = await openTokenizer(settings, profile.maxTokens, vocabulary);
    const headBytes = files.head();
    const head = headBytes && readHead(headBytes);
    const threads = options.threads ?? encoderThreads(profile.dims);
    const wanted = { device: options.device ?? "auto", dtype, threads, output: profile.output } as const;
    const { session, note } = await place(files.graph(), wanted, tokenizer.encode("a test"));
    return {
      provider: session.provider,
      note,
      async vectorOf(text) {
        const encoding = tokenizer.encode(text);
        if (encoding.ids.length === 0) throw new Error("the text has no token");
        const { data, dims } = await session.run([encoding], profile.output);
        const pooled = poolings[profile.pooling](data, dims.at(-1) ?? 0);
        const full = head === undefined ? pooled : project(head, pooled);
        if (full.length !== profile.dims)
          throw new Error(`the model gives ${full.length} numbers, not ${profile.dims}`);
        const cut =
          width === full.length ? full : (profile.narrowing?.layerNorm ? layerNorm(full) : full).slice(0, width);
        const vector = normalise ? unit(cut) : cut;
        if (!vector.every(Number.isFinite)) throw new Error("the vector is not made of finite numbers");
        return vector;
      },
      close: () => session.close(),
    };
  } catch (error) {
    if (error instanceof GestaltError) throw error;
    throw new GestaltError(
      "model-missing",
      `${plan.name} cannot be loaded: ${messageOf(error)}`,
      `gestalt model verify embed/${plan.name}`,
      { cause: error },
    );
  }
}
