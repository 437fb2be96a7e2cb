import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError } from "../errors.ts";
import { schema, schemaOf } from "./migrations.ts";
import { busyTimeout, guarded, openDatabase } from "./open.ts";
import { vaults } from "./vaults.ts";
import { prepareVectors } from "./vector-file.ts";

/** What an index needs: the keys of its texts, and the folders its notes come from. */
export type Needs = { readonly keys: ReadonlySet<string>; readonly roots: readonly string[] };

/** Opens the machine's file of vectors alone. Undefined when there is none. */
function openVectors(path: string): Database | undefined {
  if (!existsSync(path)) return undefined;
  return guarded(path, () => {
    prepareVectors(path);
    const db = new Database(path, { readwrite: true, strict: true });
    db.run(`PRAGMA busy_timeout = ${busyTimeout}`);
    return db;
  });
}

/** The paths of all indexes that ever used the file. */
export function registeredIndexes(path: string): string[] {
  const db = openVectors(path);
  try {
    return db === undefined ? [] : users(db);
  } finally {
    db?.close();
  }
}

const users = (db: Database): string[] =>
  db
    .query<{ path: string }, []>("SELECT path FROM user ORDER BY path")
    .all()
    .map(({ path }) => path);

/**
 * What the index at this path needs; undefined when it is gone for good: its folder is there, and it is not.
 *
 * @throws GestaltError when nobody can tell: its folder is not there, the file cannot be read, or is of another schema
 */
export function needsOf(path: string): Needs | undefined {
  if (!existsSync(path) && existsSync(dirname(path))) return undefined;
  const db = openDatabase(path, { create: false });
  if (db === undefined)
    throw new GestaltError("io", `${path} cannot be looked at: its folder is not there`, "mount it, and try again");
  try {
    return guarded(path, () => {
      if (schemaOf(db) === 0) return { keys: new Set(), roots: [] };
      if (schemaOf(db) < schema)
        throw new GestaltError("bad-index", `${path} was written by an older gestalt`, `gestalt index --db ${path}`);
      const rows = db
        .query<never, []>("SELECT hex(key) FROM passage UNION SELECT hex(key) FROM note WHERE key IS NOT NULL")
        .values() as [string][];
      return { keys: new Set(rows.map(([key]) => key)), roots: vaults(db).map(({ root }) => root) };
    });
  } finally {
    db.close();
  }
}

/** What was dropped, or would be. Counts are vectors. */
export type Dropped = { readonly kept: number; readonly dropped: number };

/**
 * Drops the vectors of texts that are not in `keys`, and forgets indexes that are gone. Call it while no index in `known`
 * can change.
 *
 * @param known every index that was looked at
 * @throws GestaltError "busy" when another index has begun to use the file since
 */
export function dropVectors(
  path: string,
  keys: ReadonlySet<string>,
  known: ReadonlySet<string>,
  options: { readonly gone: readonly string[]; readonly dryRun: boolean },
): Dropped {
  const db = openVectors(path);
  if (db === undefined) return { kept: 0, dropped: 0 };
  try {
    return guarded(path, () => {
      const outcome = db.transaction(() => dropRows(db, keys, known, options)).immediate();
      if (outcome.dropped > 0 && !options.dryRun) shrink(db);
      return outcome;
    });
  } finally {
    db.close();
  }
}

function dropRows(
  db: Database,
  keys: ReadonlySet<string>,
  known: ReadonlySet<string>,
  { gone, dryRun }: { readonly gone: readonly string[]; readonly dryRun: boolean },
): Dropped {
  const late = users(db).find((user) => !known.has(user));
  if (late !== undefined)
    throw new GestaltError("busy", `${late} was made in this very moment`, "gestalt gc, once more");
  const rows = db.query<never, []>("SELECT id, hex(key) FROM vector").values() as [number, string][];
  const unused = rows.filter(([, key]) => !keys.has(key));
  if (!dryRun) {
    const drop = db.query("DELETE FROM vector WHERE id = ?");
    for (const [id] of unused) drop.run(id);
    const forget = db.query("DELETE FROM user WHERE path = ?");
    for (const user of gone) forget.run(user);
  }
  return { kept: rows.length - unused.length, dropped: unused.length };
}

/** Gives the space back to the disk. Somebody may be reading: then SQLite uses it for new vectors. */
function shrink(db: Database): void {
  try {
    // Indexes are locked meanwhile: their writers must not wait for our readers.
    db.run("PRAGMA busy_timeout = 100");
    db.run("VACUUM");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Nothing is lost by it.
  }
}
