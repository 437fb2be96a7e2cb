/** One file of a model, `path` as its repository has it. `sha256` and `bytes` are null where no public source at hand states them. */
export type WeightFile = { readonly path: string; readonly sha256: string | null; readonly bytes: number | null };

/** What the numbers of the graph are kept as. */
export const dtypes = ["float32", "float16", "int8", "q4"] as const;
export type Dtype = (typeof dtypes)[number];

/** A graph, and the files it keeps its large tensors in, which must lie beside it. */
export type Variant = { readonly graph: WeightFile; readonly data?: readonly WeightFile[] };

/** Where a model comes from. `revision` is a commit; null when no public ONNX export could be pinned: only side-loading helps. */
export type Weights = {
  readonly repository: string;
  readonly revision: string | null;
  readonly licence: string;
  readonly tokenizer: WeightFile;
  readonly variants: { readonly [D in Dtype]?: Variant };
  readonly dtype: Dtype;
  /** Whether these weights have been run by this program. */
  readonly ran: boolean;
  readonly note?: string;
};

/** How one vector is made of a text's token vectors. */
export type Pooling = "mean" | "cls" | "last";

/** Matryoshka widths: a list, or every width from `from` up. nomic's form normalises the layer before it cuts. */
export type Narrowing = {
  readonly widths: readonly number[] | { readonly from: number };
  readonly layerNorm: boolean;
};

/** How the model's ranking is best joined with the lexical one; names as in `rank/fusions.ts`. */
export type FusionDefaults = {
  readonly method: "rrf" | "convex";
  readonly alpha: number;
  readonly norm: "tmin" | "minmax" | "zscore";
  readonly missing: "zero" | "leg_min";
};

/** All that makes one embedding model differ from another. */
export type EmbeddingProfile = {
  readonly weights: Weights;
  /** The graph's output: token vectors [1, tokens, hidden]. */
  readonly output: string;
  /** Numbers in a vector of full width, after the head. */
  readonly dims: number;
  /** A dense layer (safetensors, `linear.weight` and `linear.bias`) after pooling. */
  readonly head: WeightFile | null;
  readonly narrowing: Narrowing | null;
  readonly pooling: Pooling;
  /** Longest input in tokens, special ones included; the rest is cut off. */
  readonly maxTokens: number;
  /** Put before the text, word for word, as the model card says. */
  readonly prefix: { readonly query: string; readonly passage: string };
  /** Whether vectors are scaled to length 1. */
  readonly normalise: boolean;
  readonly fusion: FusionDefaults;
  readonly rerank: { readonly model: string; readonly blend: number };
};

/** The two forms of cross-encoder: a head with one logit, or a language model that answers yes or no. */
export type RerankForm =
  | { readonly kind: "classifier" }
  | {
      readonly kind: "yes-no";
      readonly yes: number;
      readonly no: number;
      readonly before: string;
      readonly after: string;
    };

/** All that makes one reranker differ from another. */
export type RerankerProfile = {
  readonly weights: Weights;
  /** The graph's output: logits [pairs, 1], or [pairs, tokens, vocabulary]. */
  readonly output: string;
  readonly form: RerankForm;
  /** Longest pair in tokens, special ones included; the passage is cut. */
  readonly maxTokens: number;
};

export const file = (path: string, sha256: string | null = null, bytes: number | null = null): WeightFile => ({
  path,
  sha256,
  bytes,
});

/** A file of an ONNX repository's `onnx` folder. */
export const onnx = (name: string, sha256: string | null = null, bytes: number | null = null): Variant => ({
  graph: file(`onnx/${name}.onnx`, sha256, bytes),
});

/** The uncased BERT vocabulary that many models share, file for file. */
export const bertTokenizer = file(
  "tokenizer.json",
  "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
  711_396,
);
