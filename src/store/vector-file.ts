import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError } from "../errors.ts";
import { busyTimeout, guarded, isWhole } from "./open.ts";

/** In order, for ever. Never edit one that has shipped; add another. */
const migrations: readonly ((db: Database) => void)[] = [
  function v001_vectors(db) {
    // A file made anew gets another identity, so that ids from the old one are never taken for its own.
    db.run("CREATE TABLE identity (value TEXT NOT NULL) STRICT");
    db.query("INSERT INTO identity (value) VALUES (?)").run(crypto.randomUUID());
    db.run(`CREATE TABLE model (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
              dims INTEGER NOT NULL) STRICT`);
    // AUTOINCREMENT: an id that was dropped is never given to another text.
    db.run(`CREATE TABLE vector (id INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
              key BLOB NOT NULL, value BLOB NOT NULL, UNIQUE (model, key)) STRICT`);
  },
  function v002_users(db) {
    db.run("CREATE TABLE user (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  },
];

/**
 * Opens the machine's file of vectors beside the index, as the schema `vectors`. It is shared by all vaults: a text that
 * any of them holds is embedded once.
 *
 * @returns false when there is no file and none is to be made
 * @throws GestaltError `bad-index` when the file is no usable database, `newer-index` when a newer program wrote it
 */
export function attachVectors(db: Database, path: string, options: { readonly create: boolean }): boolean {
  if (isAttached(db)) return true;
  if (!options.create && !existsSync(path)) return false;
  return guarded(path, () => {
    if (options.create) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    prepareVectors(path);
    db.query("ATTACH DATABASE ? AS vectors").run(path);
    // One that is in a hurry maps no pages of the index, and none of this file either.
    const mapped = db.query<{ mmap_size: number }, []>("PRAGMA main.mmap_size").get()?.mmap_size;
    if (mapped !== 0) db.run("PRAGMA vectors.mmap_size = 4294967296");
    return true;
  });
}

/** For one that keeps the vectors in its own memory: mapped, they would count as memory a second time. */
export function unmapVectors(db: Database): void {
  db.run("PRAGMA vectors.mmap_size = 0");
}

/** Whether there is a file of vectors that cannot be used and could be made anew; one of a newer program is not broken. */
export function areVectorsBroken(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    guarded(path, () => prepareVectors(path));
    const db = new Database(path, { readwrite: true });
    try {
      return !isWhole(db);
    } finally {
      db.close();
    }
  } catch (error) {
    return error instanceof GestaltError && error.code === "bad-index";
  }
}

const isAttached = (db: Database): boolean =>
  db.query<{ name: string }, []>("SELECT name FROM pragma_database_list WHERE name = 'vectors'").get() !== null;

/** Makes the file or brings it to the newest shape, on a connection of its own. */
export function prepareVectors(path: string): void {
  const db = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    db.run(`PRAGMA busy_timeout = ${busyTimeout}`);
    db.run("PRAGMA journal_mode = WAL");
    const version = () => db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
    if (version() > migrations.length)
      throw new GestaltError(
        "newer-index",
        `${path} was written by a newer gestalt`,
        "install the newer gestalt, or set GESTALT_SEARCH_DIR to another folder",
      );
    if (version() < migrations.length)
      db.transaction(() => {
        for (const step of migrations.slice(version())) step(db);
        db.run(`PRAGMA user_version = ${migrations.length}`);
      }).immediate();
  } finally {
    db.close();
  }
}

/** A name that changes when the file is made anew. */
export const identityOf = (db: Database): string =>
  db.query<{ value: string }, []>("SELECT value FROM vectors.identity").get()?.value ?? "";

/** Notes that this index uses the file, so that its vectors are not dropped. To be done before its rows point at any. */
export function registerIndex(db: Database): void {
  const path = db.query<{ file: string }, []>("SELECT file FROM pragma_database_list WHERE name = 'main'").get()?.file;
  if (path === undefined || path === "") return;
  if (db.query("SELECT 1 FROM vectors.user WHERE path = ?").get(path) !== null) return;
  db.query("INSERT INTO vectors.user (path) VALUES (?) ON CONFLICT DO NOTHING").run(path);
}

/** The id of a model in the file, made when needed. `fingerprint` stands for all that changes a vector. */
export function modelId(db: Database, fingerprint: string, name: string, dims: number): number {
  const find = db.query<{ id: number }, [string]>("SELECT id FROM vectors.model WHERE fingerprint = ?");
  const found = find.get(fingerprint)?.id;
  if (found !== undefined) return found;
  db.query("INSERT INTO vectors.model (fingerprint, name, dims) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    fingerprint,
    name,
    dims,
  );
  return modelId(db, fingerprint, name, dims);
}
