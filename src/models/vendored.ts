import { basename } from "node:path";
import { unpacked } from "../unpack.ts";
import manifest from "./weights/manifest.json";
import data from "./weights/model.bin" with { type: "file" };
import graph from "./weights/model.onnx" with { type: "file" };
import settings from "./weights/tokenizer.json";
import vocabulary from "./weights/vocab.txt" with { type: "file" };

/** The built-in model: the contents of its tokenizer.json without the words, and the path of the words, one a line. */
export const vendoredTokenizer: { readonly settings: unknown; readonly vocabulary: string } = { settings, vocabulary };

/**
 * The path of the built-in model's graph, its tensors beside it. In the executable both are unpacked on first use.
 *
 * @throws GestaltError "io" when they cannot be written anywhere
 */
export function vendoredGraph(): string {
  // Only in the source tree has the file its own name.
  if (basename(graph) === "model.onnx") return graph;
  const from = [graph, data];
  const [first, ...rest] = manifest.files.map((file, i) => ({ ...file, from: from[i] ?? "" }));
  if (first === undefined) throw new Error("the manifest of the built-in model is empty");
  return unpacked({ hash: manifest.hash, files: [first, ...rest] });
}
