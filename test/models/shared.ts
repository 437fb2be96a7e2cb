import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One text of a golden file: its ids from the Rust tokenizer, its vector from ONNX Runtime in Python. */
export type GoldenRow = { readonly text: string; readonly ids: readonly number[]; readonly vector: readonly number[] };

const root = join(import.meta.dir, "..", "..", "..", "shared", "models");

/** The folder of a model that lies beside the project; undefined, and a line says so, where it does not. */
export function besides(name: string): string | undefined {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  console.log(`skipped: the weights of ${name} are not beside the project`);
  return undefined;
}

export const goldenOf = (folder: string): readonly GoldenRow[] =>
  JSON.parse(readFileSync(join(folder, "golden.json"), "utf8")).rows;

export const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot / Math.sqrt(aa * bb);
};
