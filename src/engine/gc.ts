import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { embedded } from "../embedded.ts";
import { GestaltError } from "../errors.ts";
import builtIn from "../models/weights/manifest.json";
import { cacheDir } from "../settings.ts";
import { type Dropped, dropVectors, type Needs, needsOf, registeredIndexes } from "../store/gc.ts";
import { type Lock, waitForLock } from "../store/lock.ts";
import { removeDatabase } from "../store/open.ts";

export type GcOptions = {
  /** The folder of indexes; each `.db` in it is one. */
  readonly folder: string;
  readonly vectors: string;
  /** Also drops the indexes of folders that are not there any more. */
  readonly gone: boolean;
  /** Says what would be dropped, and drops nothing. */
  readonly dryRun: boolean;
  /** Milliseconds to wait for each index that is being written. */
  readonly wait: number;
};

/** What was dropped, or would be. `folderless`: indexes of folders that are not there. Bytes are those of the files before and after. */
export type GcReport = Dropped & {
  readonly indexes: number;
  readonly folderless: readonly { readonly db: string; readonly roots: readonly string[] }[];
  /** Folders of native parts that other versions unpacked. */
  readonly native: readonly string[];
  readonly bytes: { readonly before: number; readonly after: number };
};

/**
 * Drops what nothing uses: vectors of texts that no index holds, whatever model made them, and native parts that other
 * versions unpacked. An index is every file in the folder of indexes, and every other that ever used the vectors. When one of
 * them cannot be looked at, nothing is dropped: its vectors could not be told from the others.
 *
 * @throws GestaltError of the index that cannot be looked at; "busy" when one is being written
 */
export async function collectGarbage({ folder, vectors, gone, dryRun, wait }: GcOptions): Promise<GcReport> {
  const before = sizeOf(vectors);
  const paths = [...new Set([...indexesIn(folder, vectors), ...registeredIndexes(vectors)])].sort();
  const locks: Lock[] = [];
  try {
    for (const path of paths.filter((path) => existsSync(path)))
      for (const file of [path, `${path}.vectors`]) locks.push(await locked(file, path, wait));
    const needs = new Map(paths.map((path) => [path, needsOf(path)]));
    const folderless = paths.filter((path) => isFolderless(needs.get(path)));
    const leaving = gone ? folderless : [];
    const keys = new Set<string>();
    for (const [path, need] of needs) if (!leaving.includes(path)) for (const key of need?.keys ?? []) keys.add(key);
    const missing = paths.filter((path) => needs.get(path) === undefined);
    const dropped = dropVectors(vectors, keys, new Set(paths), { gone: [...missing, ...leaving], dryRun });
    if (!dryRun) for (const path of leaving) removeDatabase(path);
    return {
      ...dropped,
      indexes: paths.length - missing.length - leaving.length,
      folderless: folderless.map((db) => ({ db, roots: needs.get(db)?.roots ?? [] })),
      native: dropNative(dryRun),
      bytes: { before, after: sizeOf(vectors) },
    };
  } finally {
    for (const lock of locks) lock.release();
    if (gone && !dryRun) dropLocks(paths);
  }
}

const isFolderless = (needs: Needs | undefined): boolean =>
  needs !== undefined && needs.roots.length > 0 && needs.roots.every((root) => !existsSync(root));

async function locked(file: string, index: string, wait: number): Promise<Lock> {
  const lock = await waitForLock(file, wait);
  if (lock !== undefined) return lock;
  throw new GestaltError("busy", `another gestalt is writing ${index}`, "gestalt gc, when it is done");
}

/** The lock files of indexes that are not there any more. */
function dropLocks(paths: readonly string[]): void {
  for (const path of paths)
    if (!existsSync(path)) for (const what of ["", ".vectors", ".null"]) rmSync(`${path}${what}.lock`, { force: true });
}

function indexesIn(folder: string, vectors: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => join(folder, name))
    .filter((path) => path !== vectors);
}

/** A version that was unpacked as lately as this may be starting right now. */
const young = 24 * 3600 * 1000;

/** Run from source there is nothing to tell old from new by: then nothing is dropped. */
function dropNative(dryRun: boolean): string[] {
  const folder = join(cacheDir(), "native");
  if (embedded === undefined || !existsSync(folder)) return [];
  const ours = new Set([...Object.values(embedded).map(({ hash }) => hash), builtIn.hash]);
  const old = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{32}$/.test(name) && !ours.has(name))
    .map((name) => join(folder, name))
    .filter((path) => Date.now() - statSync(path).mtimeMs > young);
  if (!dryRun) for (const path of old) rmSync(path, { recursive: true, force: true });
  return old.map((path) => basename(path));
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
