import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GestaltError } from "../errors.ts";
import { catalogue, type Entry, filesOf, isBuiltIn } from "./catalogue.ts";
import { hashOf, onDisk, sizeOf } from "./disk.ts";
import { folderOf } from "./locate.ts";
import { type Dtype, dtypes, type WeightFile } from "./profile.ts";
import { isPlaced, readRecord, writeRecord } from "./record.ts";

/** One variant of one model. `bytes`: to be fetched or kept, null when some file's size is unknown. */
export type Listed = {
  readonly id: string;
  readonly dtype: Dtype;
  /** Whether it is what `get` takes when no variant is named. */
  readonly usual: boolean;
  readonly state: "built-in" | "present" | "partial" | "absent";
  readonly bytes: number | null;
  readonly licence: string;
  /** False: no public source is pinned, so it can only be imported. */
  readonly fetchable: boolean;
  readonly note: string | undefined;
};

/** Every variant of every model, and what there is of it below `models`. Reads names and sizes only. */
export function listModels(models: string, entries: readonly Entry[] = catalogue): readonly Listed[] {
  return entries.flatMap((entry) =>
    dtypes.flatMap((dtype): Listed[] => {
      const files = filesOf(entry, dtype);
      if (files === undefined) return [];
      const { weights } = entry;
      const sizes = files.map((file) => file.bytes);
      return [
        {
          id: entry.id,
          dtype,
          usual: dtype === weights.dtype,
          state: isBuiltIn(entry, dtype) ? "built-in" : stateOf(folderOf(models, entry), files),
          bytes: sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
          licence: weights.licence,
          fetchable: weights.revision !== null,
          note: weights.note,
        },
      ];
    }),
  );
}

function stateOf(folder: string, files: readonly WeightFile[]): Listed["state"] {
  const there = files.filter((file) => isPlaced(folder, file.path)).length;
  if (there === files.length) return "present";
  const begun = files.some((file) => isPlaced(folder, file.path) || existsSync(partOf(join(folder, file.path))));
  return begun ? "partial" : "absent";
}

/** Where the beginning of a file waits for its end. */
export const partOf = (path: string): string => `${path}.part`;

/** Moves a checked file to its place, and notes it. */
export async function settle(folder: string, file: WeightFile, from: string, sha256: string): Promise<void> {
  const to = join(folder, file.path);
  await onDisk(to, () => {
    const { size } = statSync(from);
    renameSync(from, to);
    writeRecord(folder, { ...readRecord(folder), [file.path]: { sha256, bytes: size } });
  });
}

/**
 * Takes a model's files from a folder (laid out as its repository, or flat) or a single file, under whatever name it has.
 *
 * A file whose row states a hash must have it; any other is taken as it is, and its hash noted.
 *
 * @returns the paths that were placed
 * @throws GestaltError "usage" when nothing there belongs to the variant, "download" when a hash differs; nothing of that file is kept
 */
export async function importModel(
  entry: Entry,
  dtype: Dtype,
  from: string,
  models: string,
): Promise<readonly string[]> {
  const files = filesOf(entry, dtype) ?? [];
  const paths = pathsOf(from);
  if (paths === undefined) throw new GestaltError("usage", `there is no ${from}`, "name the file or folder to import");

  const folder = folderOf(models, entry);
  const placed: string[] = [];
  for (const file of files) {
    const path = match(file, from, paths);
    if (path === undefined) continue;
    const part = `${join(folder, file.path)}.import`;
    await onDisk(part, () => mkdirSync(dirname(part), { recursive: true }));
    try {
      await onDisk(part, () => copyFile(path, part));
      // Of the copy: the original may change meanwhile.
      const sha256 = await hashOf(part);
      if (file.sha256 !== null && sha256 !== file.sha256)
        throw new GestaltError(
          "download",
          `${path} is not the ${file.path} of ${entry.id}: its SHA-256 is ${sha256}`,
          `expected ${file.sha256}`,
        );
      await settle(folder, file, part, sha256);
    } finally {
      rmSync(part, { force: true });
    }
    placed.push(file.path);
  }
  if (placed.length > 0) return placed;
  const wanted = files.map((file) => file.path).join(", ");
  throw new GestaltError("usage", `nothing in ${from} belongs to ${entry.id} (${dtype})`, `it is made of ${wanted}`);
}

/** The files of a folder, in name order; or the file itself. Undefined when there is nothing. */
function pathsOf(from: string): readonly string[] | undefined {
  if (sizeOf(from) !== undefined) return [from];
  if (!existsSync(from)) return undefined;
  return readdirSync(from)
    .sort()
    .map((name) => join(from, name))
    .filter((path) => sizeOf(path) !== undefined);
}

/** The path that may be this file of a model: by its place, its name, its exact length, or as the only graph there. */
function match({ path, bytes }: WeightFile, from: string, paths: readonly string[]): string | undefined {
  const placed = join(from, path);
  if (sizeOf(placed) !== undefined) return placed;
  const named = paths.find((candidate) => basename(candidate) === basename(path));
  const sized = paths.find((candidate) => bytes !== null && sizeOf(candidate) === bytes);
  const graphs = path.endsWith(".onnx") ? paths.filter((candidate) => candidate.endsWith(".onnx")) : [];
  return named ?? sized ?? (graphs.length === 1 ? graphs[0] : undefined);
}

/** What is wrong with a file of a model, or that nothing is. */
export type Checked = { readonly path: string; readonly problem: string | undefined };

/** Hashes every file of the variant anew. The built-in one needs none of it: its files are checked as they are unpacked. */
export async function verifyModel(entry: Entry, dtype: Dtype, models: string): Promise<readonly Checked[]> {
  if (isBuiltIn(entry, dtype)) return [];
  const folder = folderOf(models, entry);
  const record = readRecord(folder);
  const check = async ({ path, sha256 }: WeightFile): Promise<string | undefined> => {
    const expected = sha256 ?? record[path]?.sha256;
    if (!existsSync(join(folder, path))) return "missing";
    if (expected === undefined) return "was never checked";
    const found = await hashOf(join(folder, path));
    return found === expected ? undefined : `SHA-256 is ${found}, should be ${expected}`;
  };
  const checked: Checked[] = [];
  for (const file of filesOf(entry, dtype) ?? []) checked.push({ path: file.path, problem: await check(file) });
  return checked;
}

/** Deletes all that was fetched or imported of a model. True when there was something. */
export function removeModel(entry: Entry, models: string): boolean {
  const folder = folderOf(models, entry);
  const there = existsSync(folder);
  rmSync(folder, { recursive: true, force: true });
  return there;
}
