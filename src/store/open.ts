import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError } from "../errors.ts";
import { migrate, schema, schemaOf } from "./migrations.ts";

/** How long a statement waits for another process's commit, in milliseconds. */
export const busyTimeout = 10_000;

/**
 * Opens the index file, making it (and its folder, for the user alone) when asked. In WAL mode readers never wait for the writer.
 * The connection keeps few pages; `makeRoom` gives it more.
 * `patience` is how long a statement may wait for a lock all the same, in milliseconds.
 *
 * @returns undefined when there is no file and none is to be made
 * @throws GestaltError `bad-index` when the file is no usable database, `newer-index` when a newer program wrote it
 */
export function openDatabase(
  path: string,
  options: { readonly create: boolean; readonly patience?: number },
): Database | undefined {
  if (!options.create && !existsSync(path)) return undefined;
  return guarded(path, () => {
    if (options.create) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // One question asks more than the twenty statements that Bun keeps, and then prepares each of them anew.
    Database.MAX_QUERY_CACHE_SIZE = 200;
    const db = new Database(path, { create: options.create, readwrite: true, strict: true });
    try {
      db.run(`PRAGMA busy_timeout = ${options.patience ?? busyTimeout}`);
      db.run("PRAGMA journal_mode = WAL");
      db.run("PRAGMA synchronous = NORMAL");
      db.run("PRAGMA foreign_keys = ON");
      db.run("PRAGMA temp_store = MEMORY");
      db.run("PRAGMA cache_size = -200");
      const found = schemaOf(db);
      if (found > schema)
        throw new GestaltError(
          "newer-index",
          `${path} was written by a newer gestalt (schema ${found}; this one knows ${schema})`,
          "install the newer gestalt, or name another index file with --db FILE",
        );
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Lets a connection keep many pages, and read the file where it is mapped. All of that counts as memory of the process. */
export function makeRoom(db: Database): void {
  db.run("PRAGMA cache_size = -16000");
  db.run("PRAGMA mmap_size = 67108864");
}

/** Runs `use`, and turns what SQLite says of a broken file into words that name the file and the way out. */
export function guarded<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw explained(path, error);
  }
}

/**
 * Whether SQLite finds fault with a file. A spoilt byte makes a number of a text, which SQLite hands over all the same, or
 * another name of a column's. It reads everything, so it is asked only when something has gone wrong already.
 */
function isSpoilt(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new Database(path, { readonly: true });
  try {
    // SQLite's check passes over tables whose definition is what was spoilt.
    let asMade = true;
    const whole = isWhole(db, () => {
      asMade = schemaOf(db) !== schema || isDefinedAsMade(db);
    });
    return !whole || !asMade;
  } finally {
    db.close();
  }
}

/** Whether every table and index is defined as this program defines it, or none is: then it is another kind of file. */
function isDefinedAsMade(db: Database): boolean {
  const definitions = (of: Database): string[] =>
    of
      .query<{ line: string }, []>("SELECT name || ' ' || sql AS line FROM sqlite_schema WHERE sql IS NOT NULL")
      .all()
      .map(({ line }) => line);
  const made = new Database(":memory:");
  try {
    migrate(made);
    const ours = definitions(made);
    const found = new Set(definitions(db));
    const same = ours.filter((definition) => found.has(definition)).length;
    return same === ours.length || same === 0;
  } finally {
    made.close();
  }
}

/** SQLite's own error as ours, and that of a row whose JSON is spoilt; anything else is handed back. */
export function explained(path: string, error: unknown): unknown {
  if (error instanceof SyntaxError) return unusable(path, error);
  if (error instanceof TypeError && isSpoilt(path)) return unusable(path, error);
  if (!(error instanceof SQLiteError)) {
    const system = error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code));
    return system ? unreachable(path, error) : error;
  }
  const code = error.code ?? "";
  if (/NOTADB|CORRUPT|SCHEMA/.test(code) || /no such (table|column)|already exists|malformed/.test(error.message))
    return unusable(path, error);
  if (/BUSY|LOCKED/.test(code))
    return new GestaltError("busy", `${path} is locked by another program`, "try again in a moment", { cause: error });
  if (/FULL|IOERR|CANTOPEN|READONLY|PERM/.test(code)) return unreachable(path, error);
  return isSpoilt(path) ? unusable(path, error) : error;
}

const unusable = (path: string, cause: Error): GestaltError =>
  new GestaltError(
    "bad-index",
    `${path} is not a usable index (${cause.message}); your notes are untouched`,
    "gestalt index --force",
    { cause },
  );

const unreachable = (path: string, cause: Error): GestaltError =>
  new GestaltError(
    "io",
    `${path}: ${cause.message}`,
    "check disk space and rights, or name another file with --db FILE",
    { cause },
  );

/** Whether the file is whole: SQLite's pages, and the words of every passage. */
export function isSound(db: Database): boolean {
  return isWhole(db, () => {
    if (schemaOf(db) > 0) db.run("INSERT INTO passage_text (passage_text) VALUES ('integrity-check')");
  });
}

/** Whether SQLite finds no fault with a file's pages, nor `more` with what it looks at. */
export function isWhole(db: Database, more = () => {}): boolean {
  try {
    const check = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    more();
    return check?.quick_check === "ok";
  } catch (error) {
    if (error instanceof SQLiteError) return false;
    throw error;
  }
}

/** Removes an index file and what SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Teaches a connection sqlite-vec's functions. False where SQLite takes no extension (Apple's) or there is none. */
export function loadVectorFunctions(db: Database): boolean {
  try {
    // Loaded late: words are answered without it.
    const { nativeFile }: typeof import("../native.ts") = require("../native.ts");
    const path = nativeFile("sqlite-vec");
    if (path === undefined) return false;
    db.loadExtension(path);
    return true;
  } catch {
    return false;
  }
}
