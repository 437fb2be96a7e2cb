import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher } from "bun";
import rows from "../../bench/datasets.json" with { type: "json" };
import { GestaltError } from "../errors.ts";
import { readBlocks } from "./lines.ts";

/**
 * A data set anybody can get. `url` is that of its archive, `sha256`, `md5` and `bytes` are the archive's; null where
 * no public source says. `form` tells the loader: `beir`, `locomo`, `longmemeval`. With `folds`, the set is as many
 * folders, each scored by itself. `files` holds hashes of the unpacked files, as far as they are known.
 */
export type DatasetRow = {
  readonly name: string;
  readonly form: string;
  readonly url: string | null;
  readonly sha256: string | null;
  readonly md5: string | null;
  readonly bytes: number | null;
  readonly licence: string;
  readonly splits: readonly string[];
  readonly folds: readonly string[];
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly note: string;
};

/** Where a data set is on this machine. `row` is undefined for a folder that the manifest does not know. */
export type Place = { readonly name: string; readonly dir: string; readonly row: DatasetRow | undefined };

export const datasetRows: readonly DatasetRow[] = rows;

/**
 * Finds data sets by name below `data`, or by the path of a folder. A set with folds gives one place for each, named
 * `cqadupstack/android`; a fold can be asked for by that name.
 *
 * @param data the folder of `--data`: it holds one folder for each set
 * @throws GestaltError("not-found") with the next step, when it is not there; it is never scored as empty
 */
export function findDataset(name: string, data?: string): readonly Place[] {
  const row = datasetRows.find(
    (known) => known.name === name || known.folds.some((fold) => `${known.name}/${fold}` === name),
  );
  const names = row?.name === name && row.folds.length > 0 ? row.folds.map((fold) => `${name}/${fold}`) : [name];
  return names.map((each) => ({ name: each, dir: folderOf(each, data, row), row }));
}

function folderOf(name: string, data: string | undefined, row: DatasetRow | undefined): string {
  const candidates = [...(data === undefined ? [] : [join(data, name)]), ...(row === undefined ? [name] : [])];
  const found = candidates.find((dir) => existsSync(dir) && statSync(dir).isDirectory());
  if (found !== undefined) return found;
  if (row === undefined)
    throw new GestaltError(
      "not-found",
      `no data set "${name}", and no folder of that name`,
      `a folder in BEIR form, or one of ${datasetRows.map((known) => known.name).join(", ")}`,
    );
  throw new GestaltError(
    "not-found",
    `the data set ${name} is not ${data === undefined ? "at hand" : `in ${data}`}`,
    source(row),
  );
}

const source = ({ name, url }: DatasetRow): string =>
  url === null
    ? `--data DIR, where DIR/${name} holds it`
    : `--fetch, or --data DIR, where DIR/${name} holds what ${url} gives`;

/**
 * Compares the files of a data set with the hashes in its row, as far as there are any. Files that are absent are left
 * to the loader, which knows whether it needs them.
 *
 * @throws GestaltError("bad-dataset") for a file with another hash: scores on it would pass for scores on the real one
 */
export function checkFiles({ name, dir, row }: Place): void {
  for (const { path, sha256 } of row?.files ?? []) {
    const file = join(dir, path);
    if (existsSync(file) && hashOf(file) !== sha256)
      throw new GestaltError(
        "bad-dataset",
        `${file} is not ${name} as published: its SHA-256 differs`,
        row?.url ? `fetch it again from ${row.url}` : "fetch it again",
      );
  }
}

/** SHA-256 of a file of any size, in hex. */
export function hashOf(file: string): string {
  const hasher = new CryptoHasher("sha256");
  for (const block of readBlocks(file)) hasher.update(block);
  return hasher.digest("hex");
}
