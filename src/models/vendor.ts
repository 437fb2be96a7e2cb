#!/usr/bin/env bun
/**
 * Makes the files of `weights/` from a model as it is published: the graph optimised and cut down to what one text
 * a run needs, its tensors in a file of their own, and the vocabulary as lines, which loads in half the time of the published file. Token ids and vectors stay the same, bit for
 * bit; a test compares them.
 *
 *     bun src/models/vendor.ts FOLDER      FOLDER holds model.onnx and tokenizer.json of the built-in profile
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lean } from "./lean.ts";
import { builtIn, embedders } from "./profiles.ts";
import { saveOptimised } from "./session.ts";

const into = join(import.meta.dir, "weights");
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder that holds model.onnx and tokenizer.json");

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const { weights, pooling } = embedders[builtIn];
// What is cut away of the graph is what this pooling does not look at.
if (pooling !== "cls") throw new Error(`${builtIn} is not pooled by its first token`);
const published = { "model.onnx": weights.variants.int8.graph.sha256, "tokenizer.json": weights.tokenizer.sha256 };
for (const [name, expected] of Object.entries(published))
  if (sha256(readFileSync(join(folder, name))) !== expected) throw new Error(`${name} is not the one of ${builtIn}`);

mkdirSync(into, { recursive: true });
const graph = join(into, "model.onnx");
await saveOptimised(join(folder, "model.onnx"), graph, "model.bin");
writeFileSync(graph, lean(readFileSync(graph), { count: 12, size: 32 }));

const settings = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
const words = Object.entries<number>(settings.model.vocab).sort(([, a], [, b]) => a - b);
if (words.some(([word, id], i) => id !== i || word.includes("\n")))
  throw new Error("the vocabulary cannot be written as lines");
settings.model.vocab = {};
writeFileSync(join(into, "vocab.txt"), words.map(([word]) => word).join("\n"));
writeFileSync(join(into, "tokenizer.json"), `${JSON.stringify(settings, null, 1)}\n`);

const files = ["model.onnx", "model.bin"].map((name) => {
  const bytes = readFileSync(join(into, name));
  return { name, size: bytes.length, sha256: sha256(bytes) };
});
const hash = sha256(JSON.stringify(files)).slice(0, 32);
writeFileSync(join(into, "manifest.json"), `${JSON.stringify({ profile: builtIn, hash, files }, null, 2)}\n`);
