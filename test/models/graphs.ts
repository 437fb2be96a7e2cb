/** Models that look a token up in a table: what they answer is read off the table. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelFiles } from "../../src/models/locate.ts";
import { type Graph, onnx, type Port } from "./onnx.ts";
import { temporary } from "./temporary.ts";

const ids: Port = { name: "input_ids", type: "int64", shape: ["batch", "length"] };
export const mask: Port = { name: "attention_mask", type: "int64", shape: ["batch", "length"] };
export const types: Port = { name: "token_type_ids", type: "int64", shape: ["batch", "length"] };

/** Token vectors: row `id` of the table. The mask is asked for, as real models do, and not used. */
export const lookUp = (table: readonly (readonly number[])[], output = "last_hidden_state"): Graph => ({
  inputs: [ids, mask],
  outputs: [{ name: output, type: "float32", shape: ["batch", "length", table[0]?.length ?? 0] }],
  constants: [{ name: "table", shape: [table.length, table[0]?.length ?? 0], values: table.flat() }],
  nodes: [{ op: "Gather", inputs: ["table", "input_ids"], outputs: [output] }],
});

/** Logits [batch, 1]: Σ over tokens of mask × value(id) × (1 + type). */
export const classifier = (values: readonly number[]): Graph => ({
  inputs: [ids, mask, types],
  outputs: [{ name: "logits", type: "float32", shape: ["batch", 1] }],
  constants: [
    { name: "values", shape: [values.length], values },
    { name: "one", shape: [1], values: [1] },
    { name: "axis", shape: [1], values: [1], type: "int64" },
  ],
  nodes: [
    { op: "Gather", inputs: ["values", "input_ids"], outputs: ["value"] },
    { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: 1 } },
    { op: "Cast", inputs: ["token_type_ids"], outputs: ["type"], attributes: { to: 1 } },
    { op: "Add", inputs: ["type", "one"], outputs: ["weight"] },
    { op: "Mul", inputs: ["value", "mask"], outputs: ["seen"] },
    { op: "Mul", inputs: ["seen", "weight"], outputs: ["weighted"] },
    { op: "ReduceSum", inputs: ["weighted", "axis"], outputs: ["logits"], attributes: { keepdims: 1 } },
  ],
});

/** Logits [batch, kept, vocabulary] of the last positions only, as many as it is asked to keep. */
export const causal = (table: readonly (readonly number[])[]): Graph => ({
  inputs: [ids, mask, { name: "num_logits_to_keep", type: "int64", shape: [] }],
  outputs: [{ name: "logits", type: "float32", shape: ["batch", "kept", table[0]?.length ?? 0] }],
  constants: [
    { name: "table", shape: [table.length, table[0]?.length ?? 0], values: table.flat() },
    { name: "one", shape: [1], values: [1], type: "int64" },
    { name: "end", shape: [1], values: [2 ** 31], type: "int64" },
  ],
  nodes: [
    { op: "Gather", inputs: ["table", "input_ids"], outputs: ["all"] },
    { op: "Reshape", inputs: ["num_logits_to_keep", "one"], outputs: ["keep"] },
    { op: "Neg", inputs: ["keep"], outputs: ["start"] },
    { op: "Slice", inputs: ["all", "start", "end", "one"], outputs: ["logits"] },
  ],
});

/** Vocabulary of the tokenizer below: a word's id is its place. */
export const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d", "yes", "no"] as const;

/** A WordPiece tokenizer of those words, as tokenizer.json has it. `special` false: nothing around a text. */
export const tokenizer = (special = true): unknown => ({
  version: "1.0",
  truncation: { direction: "Right", max_length: 3, strategy: "LongestFirst", stride: 0 },
  padding: {
    strategy: { Fixed: 8 },
    direction: "Right",
    pad_to_multiple_of: null,
    pad_id: 0,
    pad_type_id: 0,
    pad_token: "[PAD]",
  },
  added_tokens: words.slice(0, 4).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: special
    ? {
        type: "TemplateProcessing",
        single: [sp("[CLS]", 0), seq("A", 0), sp("[SEP]", 0)],
        pair: [sp("[CLS]", 0), seq("A", 0), sp("[SEP]", 0), seq("B", 1), sp("[SEP]", 1)],
        special_tokens: {
          "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
          "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
        },
      }
    : null,
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
});

const sp = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
const seq = (id: string, type_id: number) => ({ Sequence: { id, type_id } });

/** Writes the graph to a fresh folder. */
export function graphFile(graph: Graph): string {
  const path = join(temporary(), "model.onnx");
  writeFileSync(path, onnx(graph));
  return path;
}

/** The files of a made model. */
export const madeFiles = (graph: Graph, settings: unknown = tokenizer(), head?: Uint8Array): ModelFiles => {
  const path = graphFile(graph);
  return { graph: () => path, tokenizer: () => ({ settings }), head: () => head, hashes: [] };
};
