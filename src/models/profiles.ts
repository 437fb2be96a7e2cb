import { bertTokenizer, type EmbeddingProfile, type FusionDefaults, file, onnx } from "./profile.ts";

const e5Tokenizer = "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39";
const qwenTokenizer = "def76fb086971c7867b829c23a26261e38d9d74e02139253b38aeb9df8b4b50a";

const bothLegs: FusionDefaults = { method: "convex", alpha: 0.5, norm: "zscore", missing: "leg_min" };
const ranksOnly: FusionDefaults = { method: "rrf", alpha: 0.5, norm: "minmax", missing: "zero" };
const denseFirst: FusionDefaults = { method: "convex", alpha: 0, norm: "tmin", missing: "zero" };

const qwenInstruction =
  "Instruct: Given a question about a personal engineering knowledge base, retrieve the note section that answers it\nQuery:";

/** Models that take more read no more: memory grows with the square, and a passage is shorter. */
const longest = 2048;

/** What most rows have in common. */
const usual = {
  output: "last_hidden_state",
  head: null,
  narrowing: null,
  prefix: { query: "", passage: "" },
  normalise: true,
  fusion: bothLegs,
} as const;

/**
 * Every embedding model. Hashes and revisions were read in public sources or measured on the files; what is null was found
 * in neither. A vector's fingerprint follows from its row: a change here is a new model to the store.
 */
export const embedders = {
  "bge-small-en-v1.5": {
    ...usual,
    weights: {
      repository: "Xenova/bge-small-en-v1.5",
      revision: "ea104dacec62c0de699686887e3f920caeb4f3e3",
      licence: "MIT",
      tokenizer: bertTokenizer,
      variants: {
        int8: onnx("model_quantized", "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4", 34_014_426),
        float32: onnx("model"),
      },
      dtype: "int8",
      ran: true,
    },
    dims: 384,
    pooling: "cls",
    maxTokens: 512,
    prefix: { query: "Represent this sentence for searching relevant passages: ", passage: "" },
    rerank: { model: "ms-marco-minilm-l-6-v2", blend: 0.5 },
  },
  "all-minilm-l6-v2": {
    ...usual,
    weights: {
      repository: "Xenova/all-MiniLM-L6-v2",
      revision: "751bff37182d3f1213fa05d7196b954e230abad9",
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json", "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0", 711_661),
      variants: {
        int8: onnx("model_quantized", "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1", 22_972_370),
        float32: onnx("model"),
      },
      dtype: "int8",
      ran: true,
    },
    dims: 384,
    pooling: "mean",
    maxTokens: 256,
    rerank: { model: "ms-marco-minilm-l-6-v2", blend: 0.5 },
  },
  "multilingual-e5-small": {
    ...usual,
    weights: {
      repository: "Xenova/multilingual-e5-small",
      revision: "761b726dd34fb83930e26aab4e9ac3899aa1fa78",
      licence: "MIT",
      tokenizer: file("tokenizer.json", e5Tokenizer, 17_082_730),
      variants: {
        int8: onnx("model_quantized", "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193", 118_308_185),
      },
      dtype: "int8",
      ran: false,
    },
    dims: 384,
    pooling: "mean",
    maxTokens: 512,
    prefix: { query: "query: ", passage: "passage: " },
    rerank: { model: "bge", blend: 0.5 },
  },
  nomic: {
    ...usual,
    weights: {
      repository: "nomic-ai/nomic-embed-text-v1.5",
      revision: "e9b6763023c676ca8431644204f50c2b100d9aab",
      licence: "Apache-2.0",
      tokenizer: bertTokenizer,
      variants: {
        float32: onnx("model", "147d5aa88c2101237358e17796cf3a227cead1ec304ec34b465bb08e9d952965", 547_310_275),
        int8: onnx("model_quantized"),
      },
      dtype: "float32",
      ran: false,
      note: "the reference keeps this model's vectors at their own length: that is embed-normalize 0",
    },
    dims: 768,
    narrowing: { widths: [512, 256, 128, 64], layerNorm: true },
    pooling: "mean",
    maxTokens: longest,
    prefix: { query: "search_query: ", passage: "search_document: " },
    fusion: ranksOnly,
    rerank: { model: "bge", blend: 0 },
  },
  "stella-400m": {
    ...usual,
    weights: {
      repository: "NovaSearch/stella_en_400M_v5",
      revision: null,
      licence: "MIT",
      tokenizer: file("tokenizer.json"),
      variants: { float32: onnx("model") },
      dtype: "float32",
      ran: false,
      note: "its repository has ONNX files in an unmerged commit only (1543163): side-load token vectors and the 1024 head",
    },
    dims: 1024,
    head: file("2_Dense_1024/model.safetensors"),
    pooling: "mean",
    maxTokens: 512,
    prefix: {
      query: "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: ",
      passage: "",
    },
    fusion: denseFirst,
    rerank: { model: "qwen3-0.6b", blend: 0.5 },
  },
  "qwen3-embedding-0.6b": {
    ...usual,
    weights: {
      repository: "onnx-community/Qwen3-Embedding-0.6B-ONNX",
      revision: "c25a394dd583836952667c12f008335071b3f43d",
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json", qwenTokenizer, 11_423_705),
      variants: {
        int8: onnx("model_int8", "6d0ea863f78b4a84afa3c7fcba1ec341572b5e28121aef77b7092b1dfdf679c7", 613_527_539),
      },
      dtype: "int8",
      ran: false,
    },
    dims: 1024,
    narrowing: { widths: { from: 32 }, layerNorm: false },
    pooling: "last",
    maxTokens: longest,
    prefix: { query: qwenInstruction, passage: "" },
    rerank: { model: "qwen3-0.6b", blend: 0.5 },
  },
  "qwen3-4b": {
    ...usual,
    weights: {
      repository: "onnx-community/Qwen3-Embedding-4B-ONNX",
      revision: null,
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json"),
      variants: { float32: { graph: file("model.onnx"), data: [file("model.onnx_data")] } },
      dtype: "float32",
      ran: false,
      note: "no public source at hand pins an export of it",
    },
    dims: 2560,
    narrowing: { widths: { from: 32 }, layerNorm: false },
    pooling: "last",
    maxTokens: longest,
    prefix: { query: qwenInstruction, passage: "" },
    rerank: { model: "qwen3-4b", blend: 0.5 },
  },
} as const satisfies Record<string, EmbeddingProfile>;

export type EmbedderName = keyof typeof embedders;

/** The model that the executable carries. */
export const builtIn = "bge-small-en-v1.5" satisfies EmbedderName;

export const isEmbedder = (name: string): name is EmbedderName => Object.hasOwn(embedders, name);
