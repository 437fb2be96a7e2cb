import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GestaltError } from "../errors.ts";
import { type Entry, filesOf, isBuiltIn } from "./catalogue.ts";
import type { Dtype } from "./profile.ts";
import { isPlaced, readRecord } from "./record.ts";
import { vendoredGraph, vendoredTokenizer } from "./vendored.ts";

/** The contents of a `tokenizer.json`, and its words as lines where they are kept apart. */
export type TokenizerSource = { readonly settings: unknown; readonly vocabulary?: string };

/** A model's files. Each is read when it is asked for. `hashes`: the SHA-256 of graph, data, tokenizer and head as published. */
export type ModelFiles = {
  graph(): string;
  tokenizer(): TokenizerSource;
  head(): Uint8Array | undefined;
  readonly hashes: readonly string[];
};

/** A model's own folder below the folder of all models. */
export const folderOf = (models: string, entry: Entry): string => join(models, entry.kind, entry.name);

/**
 * Finds a model's files: in the executable, or in the folder where `weights.ts` places them. Reads none of them.
 *
 * @param models the folder of all models
 * @throws GestaltError "usage" for a variant that the model lacks, "model-missing" when its files are not there
 */
export function locate(entry: Entry, dtype: Dtype, models: string): ModelFiles {
  const files = filesOf(entry, dtype);
  if (files === undefined)
    throw new GestaltError(
      "usage",
      `${entry.name} has no ${dtype}`,
      `one of ${Object.keys(entry.weights.variants).join(", ")}`,
    );
  if (isBuiltIn(entry, dtype))
    return {
      graph: vendoredGraph,
      tokenizer: () => ({
        settings: vendoredTokenizer.settings,
        vocabulary: readFileSync(vendoredTokenizer.vocabulary, "utf8"),
      }),
      head: () => undefined,
      hashes: files.map((file) => file.sha256 ?? ""),
    };

  const folder = folderOf(models, entry);
  const record = readRecord(folder);
  const missing = files.find((file) => !isPlaced(folder, file.path, record));
  if (missing !== undefined)
    throw new GestaltError(
      "model-missing",
      `the weights of ${entry.name} (${dtype}) are not there: ${missing.path} is missing in ${folder}`,
      `gestalt model get ${entry.id}`,
    );
  const [graph] = files;
  return {
    graph: () => join(folder, graph?.path ?? ""),
    tokenizer: () => ({ settings: JSON.parse(readFileSync(join(folder, entry.weights.tokenizer.path), "utf8")) }),
    head: () => (entry.head === null ? undefined : readFileSync(join(folder, entry.head.path))),
    hashes: files.map((file) => record[file.path]?.sha256 ?? ""),
  };
}
