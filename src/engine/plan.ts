import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { CryptoHasher } from "bun";
import { GestaltError } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import { getMeta, setMeta } from "../store/meta.ts";
import { type Known, knownNotes } from "../store/notes.ts";
import { putVault } from "../store/vaults.ts";
import type { Entry, Skip, Stat } from "../types.ts";

/** A source as the index sees it now: what differs from the rows, and what it passed over. */
export type Plan = {
  readonly source: NoteSource;
  readonly vault: number;
  readonly known: ReadonlyMap<string, Known>;
  /** New, or with another stat than stored. In path order. */
  readonly touched: readonly Entry[];
  readonly gone: readonly string[];
  readonly unchanged: number;
  readonly skipped: readonly Skip[];
  /** Every note is to be read anew. */
  readonly forced: boolean;
  /** All that the sweep saw, in a word. */
  readonly seen: string;
};

/**
 * Looks at every source and at the index; reads no note.
 *
 * @throws GestaltError "no-vault" when a folder is empty that was not when its notes were taken in, and is another one
 */
export function planAll(db: Database, sources: readonly NoteSource[], forced = false): Plan[] {
  return sources.map((source) => {
    const vault = putVault(db, source.name, source.root);
    const { entries, skipped } = source.sweep();
    const word = wordFor(entries);
    // The rows of 10,000 notes cost more than the sweep: they are looked at only when something differs.
    if (!forced && getMeta(db, seenBy(source)) === word)
      return {
        source,
        vault,
        known: new Map(),
        touched: [],
        gone: [],
        unchanged: entries.length,
        skipped,
        forced,
        seen: word,
      };
    const known = knownNotes(db, vault);
    if (known.size > 0 && entries.length === 0 && skipped.length === 0) refuseEmpty(db, source);
    const touched = forced ? entries : entries.filter(({ path, stat }) => !sameStat(known.get(path)?.stat, stat));
    const kept = new Set(skipped.filter(({ unreadable }) => unreadable).map(({ path }) => path.replace(/\/$/, "")));
    const paths = new Set(entries.map(({ path }) => path));
    const gone = entries.length === known.size && touched.length === 0 ? [] : missing(known, paths, kept);
    return {
      source,
      vault,
      known,
      touched,
      gone,
      unchanged: entries.length - touched.length,
      skipped,
      forced,
      seen: word,
    };
  });
}

/** Remembers that the rows are what a sweep saw (`seen`), or that they are not any more (undefined). */
export function keepSeen(db: Database, source: NoteSource, seen: string | undefined): void {
  if ((getMeta(db, seenBy(source)) ?? "") !== (seen ?? "")) setMeta(db, seenBy(source), seen ?? "");
}

const seenBy = ({ root }: NoteSource): string => `seen ${root}`;

/** A digest of every path and stat. Made at every search, of numbers as they are: to write them out costs as much as the sweep. */
function wordFor(entries: readonly Entry[]): string {
  const stats = new Float64Array(3 * entries.length);
  let at = 0;
  for (const { stat } of entries) {
    stats[at++] = stat.mtime;
    stats[at++] = stat.size;
    stats[at++] = stat.ino;
  }
  const paths = entries.map(({ path }) => path).join("\0");
  return new CryptoHasher("sha256").update(paths).update(stats).digest("base64");
}

/** Remembers which folder the notes are taken from, as the file system numbers it. */
export function keepFolder(db: Database, source: NoteSource): void {
  const folder = folderAt(source);
  if (folder !== getMeta(db, metaOf(source))) setMeta(db, metaOf(source), folder);
}

/** An empty folder in the place of one that had notes is what is left where a disk is not mounted. */
function refuseEmpty(db: Database, source: NoteSource): void {
  if (folderAt(source) === (getMeta(db, metaOf(source)) ?? folderAt(source))) return;
  throw new GestaltError(
    "no-vault",
    `${source.root} is empty, and not the folder whose notes are in the index: is its disk mounted?`,
    "gestalt index --force, if the notes are gone for good",
  );
}

const metaOf = ({ root }: NoteSource): string => `folder ${root}`;

function folderAt({ root }: NoteSource): string {
  const stat = statSync(root, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev} ${stat.ino}`;
}

/** How many notes wait to be read or dropped. */
export const waiting = (plans: readonly Plan[]): number =>
  plans.reduce((sum, { touched, gone }) => sum + touched.length + gone.length, 0);

const sameStat = (a: Stat | undefined, b: Stat): boolean =>
  a !== undefined && a.mtime === b.mtime && a.size === b.size && a.ino === b.ino;

/** Known paths that the sweep did not meet, unless they lie where it could not look. */
function missing(known: ReadonlyMap<string, Known>, seen: ReadonlySet<string>, kept: ReadonlySet<string>): string[] {
  const gone = [...known.keys()].filter((path) => !seen.has(path));
  return kept.size === 0 ? gone : gone.filter((path) => !ancestors(path).some((folder) => kept.has(folder)));
}

/** `a/b/c.md` → `a`, `a/b`, `a/b/c.md`. */
function ancestors(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}
