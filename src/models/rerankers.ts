import { bertTokenizer, file, onnx, type RerankerProfile, type RerankForm } from "./profile.ts";

const classifier: RerankForm = { kind: "classifier" };

const qwenYesNo: RerankForm = {
  kind: "yes-no",
  yes: 9693,
  no: 2152,
  before:
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. " +
    'Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
  after: "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
};

/** Every reranker. Hashes and revisions as in profiles.ts. */
export const rerankers = {
  "ms-marco-minilm-l-6-v2": {
    weights: {
      repository: "Xenova/ms-marco-MiniLM-L-6-v2",
      revision: "a09144355adeed5f58c8ed011d209bf8ee5a1fec",
      licence: "Apache-2.0",
      tokenizer: bertTokenizer,
      variants: {
        int8: onnx("model_quantized", "e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe", 23_143_499),
      },
      dtype: "int8",
      ran: false,
    },
    output: "logits",
    form: classifier,
    maxTokens: 512,
  },
  bge: {
    weights: {
      repository: "onnx-community/bge-reranker-v2-m3-ONNX",
      revision: "6f5ff65298512715a1e669753bc754d2bc8f367b",
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json", "8bf8afbfd11306bd872018c53bfdf2e160a56f8edbcf49933324404791c148d3", 17_082_900),
      variants: {
        int8: onnx("model_quantized", "912fc1215c2dbff6499700534bd8d31253af01573861abbfc43afd1fab6cce5d", 570_727_094),
        float32: {
          graph: file("onnx/model.onnx", "faae32b124a9d54afb7e89b5e9896e03c18a9552d56d1d6b273a709a83012486"),
          data: [file("onnx/model.onnx_data", "f009aa6c6cf21986fd7e0021fa66b20ccce27abc6900a57c7109c8496811bcbe")],
        },
      },
      dtype: "int8",
      ran: false,
    },
    output: "logits",
    form: classifier,
    maxTokens: 1024,
  },
  "qwen3-0.6b": {
    weights: {
      repository: "onnx-community/Qwen3-Reranker-0.6B-ONNX",
      revision: null,
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json"),
      variants: { int8: onnx("model_int8"), q4: onnx("model_q4") },
      dtype: "int8",
      ran: false,
      note: "no public source at hand pins an export of it",
    },
    output: "logits",
    form: qwenYesNo,
    maxTokens: 2048,
  },
  "qwen3-4b": {
    weights: {
      repository: "onnx-community/Qwen3-Reranker-4B-ONNX",
      revision: null,
      licence: "Apache-2.0",
      tokenizer: file("tokenizer.json"),
      variants: { float32: { graph: file("onnx/model.onnx"), data: [file("onnx/model.onnx_data")] } },
      dtype: "float32",
      ran: false,
      note: "no public export of it holds files: export it yourself and side-load it",
    },
    output: "logits",
    form: qwenYesNo,
    maxTokens: 2048,
  },
} as const satisfies Record<string, RerankerProfile>;

export type RerankerName = keyof typeof rerankers;

export const isReranker = (name: string): name is RerankerName => Object.hasOwn(rerankers, name);
