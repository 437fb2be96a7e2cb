import { GestaltError, messageOf } from "../errors.ts";
import { findModel } from "./catalogue.ts";
import { type Device, defaultThreads, place } from "./device.ts";
import { locate, type ModelFiles } from "./locate.ts";
import type { Dtype, RerankerProfile } from "./profile.ts";
import { isReranker, rerankers } from "./rerankers.ts";
import { lastOnly, type Output, type Session } from "./session.ts";
import { type Encoding, openTokenizer, type TextEncoder } from "./tokenizer.ts";

export type RerankOptions = {
  /** The folder of all models, as `weights.ts` fills it. */
  readonly models: string;
  /** A row of the reranker table. */
  readonly model: string;
  readonly dtype?: Dtype | undefined;
  readonly device?: Device | undefined;
  readonly threads?: number | undefined;
  /** Pairs in one run, where the model and the device allow more than one; 8 when unset. */
  readonly batch?: number | undefined;
  /** Characters of a text that are read; 2,000 when unset. */
  readonly maxChars?: number | undefined;
  /** The task in a sentence, for models that take one. */
  readonly instruction?: string | undefined;
};

/** Scores in the order of the texts, higher is better, on the model's own scale (log-odds); or why the order has to stay. */
export type Reranked =
  | { readonly scores: readonly number[] }
  | {
      readonly fallback: "too-few" | "load-failed" | "run-failed" | "nonfinite-score" | "deadline";
      readonly reason: string;
    };

/** A model that reads question and text together. Nothing is loaded before the first call. */
export type Reranker = {
  readonly model: string;
  /** Never throws. An aborted signal is looked at between runs. */
  rerank(query: string, texts: readonly string[], signal?: AbortSignal): Promise<Reranked>;
  close(): Promise<void>;
};

export const defaultInstruction =
  "Given a question about a personal engineering knowledge base, retrieve the note section that answers it";

/**
 * Opens a reranker.
 *
 * @throws GestaltError "usage" for an unknown model or variant, "model-missing" when its weights are not there
 */
export function openReranker(options: RerankOptions): Reranker {
  const { model, models } = options;
  if (!isReranker(model))
    throw new GestaltError("usage", `no reranker ${model}`, `one of ${Object.keys(rerankers).join(", ")}`);
  const profile: RerankerProfile = rerankers[model];
  const dtype = options.dtype ?? profile.weights.dtype;
  return rerankerOf(model, profile, dtype, locate(findModel(`rerank/${model}`), dtype, models), options);
}

/** The reranker of a profile and its files, whatever made them. */
export function rerankerOf(
  model: string,
  profile: RerankerProfile,
  dtype: Dtype,
  files: ModelFiles,
  options: Omit<RerankOptions, "models" | "model" | "dtype">,
): Reranker {
  let loading: Promise<Loaded> | undefined;
  let closed = false;
  return {
    model,
    async rerank(query, texts, signal) {
      if (texts.length < 2) return { fallback: "too-few", reason: "there is nothing to put in order" };
      let loaded: Loaded;
      try {
        if (closed) throw new Error("the reranker has been closed");
        loading ??= load(profile, dtype, files, options);
        loaded = await loading;
      } catch (error) {
        loading = undefined;
        return { fallback: "load-failed", reason: `${model} cannot be loaded: ${messageOf(error)}` };
      }
      try {
        return await scoreAll(loaded, query, texts, signal);
      } catch (error) {
        return { fallback: "run-failed", reason: messageOf(error) };
      }
    },
    async close() {
      closed = true;
      await (await loading?.catch(() => undefined))?.session.close();
    },
  };
}

type Loaded = {
  readonly session: Session;
  readonly batch: number;
  encode(query: string, text: string): Encoding;
  run(rows: readonly Encoding[]): Promise<readonly number[]>;
};

async function load(
  profile: RerankerProfile,
  dtype: Dtype,
  files: ModelFiles,
  options: Omit<RerankOptions, "models" | "model" | "dtype">,
): Promise<Loaded> {
  const { settings, vocabulary } = files.tokenizer();
  const tokenizer = await openTokenizer(settings, profile.maxTokens, vocabulary);
  const encode = encoderOf(profile, tokenizer, options.instruction ?? defaultInstruction);
  const threads = options.threads ?? defaultThreads();
  const wanted = { device: options.device ?? "auto", dtype, threads, output: profile.output } as const;
  const { session } = await place(files.graph(), wanted, encode("a test", "a text"));
  return {
    session,
    batch: mayBatch(profile, session, dtype) ? Math.max(1, options.batch ?? 8) : 1,
    encode: (query, text) => encode(query, text.slice(0, options.maxChars ?? 2000)),
    run: async (rows) => {
      const side = profile.form.kind === "yes-no" ? "left" : "right";
      return scoresOf(profile, await session.run(rows, profile.output, side), rows.length);
    },
  };
}

/**
 * Not int8 on the CPU: there the numbers of a text depend on its company. And no language model that answers for every position:
 * 150,000 numbers a token would not fit.
 */
const mayBatch = ({ form }: RerankerProfile, session: Session, dtype: Dtype): boolean =>
  !(session.provider === "cpu" && dtype === "int8") &&
  (form.kind === "classifier" || session.inputs.includes(lastOnly));

async function scoreAll(
  model: Loaded,
  query: string,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Reranked> {
  const scores: number[] = [];
  for (let at = 0; at < texts.length; at += model.batch) {
    if (signal?.aborted) return { fallback: "deadline", reason: `${at} of ${texts.length} texts were read in time` };
    const rows = texts.slice(at, at + model.batch).map((text) => model.encode(query, text));
    scores.push(...(await model.run(rows)));
  }
  const odd = scores.findIndex((score) => !Number.isFinite(score));
  if (odd >= 0) return { fallback: "nonfinite-score", reason: `text ${odd + 1} of ${texts.length} got ${scores[odd]}` };
  return { scores };
}

/** How question and text become one input: as a pair, or as the prompt of a model that answers yes or no. */
function encoderOf({ form, maxTokens }: RerankerProfile, tokenizer: TextEncoder, instruction: string) {
  if (form.kind === "classifier") return (query: string, text: string) => tokenizer.encodePair(query, text);
  const before = tokenizer.encodePrompt(form.before);
  const after = tokenizer.encodePrompt(form.after);
  return (query: string, text: string): Encoding => {
    // Plain: a note that spells a special token must not end our prompt.
    const body = tokenizer.encodePlain(`<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${text}`);
    const ids = [...before, ...body.slice(0, Math.max(0, maxTokens - before.length - after.length)), ...after];
    return { ids, types: ids.map(() => 0) };
  };
}

/** One number a pair: the head's logit, or logit(yes) − logit(no) at the last position. */
function scoresOf({ form }: RerankerProfile, { data, dims }: Output, rows: number): readonly number[] {
  const stride = data.length / rows;
  if (form.kind === "classifier") {
    if (stride !== 1) throw new Error(`the model gives [${dims.join(", ")}], not one number a pair`);
    return Array.from(data);
  }
  const vocabulary = dims.at(-1) ?? 0;
  if (Math.max(form.yes, form.no) >= vocabulary) throw new Error(`the model's vocabulary has only ${vocabulary} words`);
  return Array.from({ length: rows }, (_, row) => {
    const last = (row + 1) * stride - vocabulary;
    return (data[last + form.yes] ?? Number.NaN) - (data[last + form.no] ?? Number.NaN);
  });
}
