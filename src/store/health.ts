import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { messageOf } from "../errors.ts";
import { nativeFile } from "../native.ts";
import { tryLock } from "./lock.ts";
import { schemaOf } from "./migrations.ts";
import { guarded, isSound, isWhole, openDatabase } from "./open.ts";
import { prepareVectors } from "./vector-file.ts";

/** What SQLite says of itself, and sqlite-vec: its version and file, or why it cannot be had. */
export type Parts = {
  readonly sqlite: string;
  readonly vec: { readonly version: string; readonly path: string } | { readonly problem: string };
};

export function parts(): Parts {
  const db = new Database(":memory:");
  const ask = (sql: string): string => String((db.query<never, []>(sql).values() as [unknown][])[0]?.[0]);
  try {
    const sqlite = ask("SELECT sqlite_version()");
    try {
      const path = nativeFile("sqlite-vec");
      if (path === undefined) return { sqlite, vec: { problem: "there is none for this system" } };
      db.loadExtension(path);
      return { sqlite, vec: { version: ask("SELECT vec_version()").replace(/^v/, ""), path } };
    } catch (error) {
      return { sqlite, vec: { problem: messageOf(error) } };
    }
  } finally {
    db.close();
  }
}

/** A file as it lies there. Bytes include what SQLite keeps beside it. */
export type FileHealth = { readonly bytes: number; readonly whole: boolean };

/** `held`: a process is writing words, or vectors, right now. */
export type IndexHealth = FileHealth & { readonly schema: number; readonly held: boolean };

/**
 * Looks at an index file. Undefined when there is none.
 *
 * @param deep reads every page and compares every index of a table with the table
 * @throws GestaltError when it cannot be opened
 */
export function indexHealth(path: string, deep: boolean): IndexHealth | undefined {
  const db = openDatabase(path, { create: false });
  if (db === undefined) return undefined;
  try {
    return guarded(path, () => ({
      bytes: bytesOf(path),
      whole: isSound(db) && (!deep || isIntact(db)),
      schema: schemaOf(db),
      held: isHeld(path) || isHeld(`${path}.vectors`),
    }));
  } finally {
    db.close();
  }
}

function isHeld(path: string): boolean {
  const lock = tryLock(path);
  lock?.release();
  return lock === undefined;
}

export type VectorsHealth = FileHealth & {
  readonly models: readonly { readonly name: string; readonly dims: number; readonly vectors: number }[];
};

/** Looks at the machine's file of vectors, as `indexHealth` does at an index. */
export function vectorsHealth(path: string, deep: boolean): VectorsHealth | undefined {
  if (!existsSync(path)) return undefined;
  return guarded(path, () => {
    prepareVectors(path);
    const db = new Database(path, { readwrite: true, strict: true });
    try {
      return {
        bytes: bytesOf(path),
        whole: isWhole(db) && (!deep || isIntact(db)),
        models: db
          .query<VectorsHealth["models"][number], []>(
            `SELECT name, dims, (SELECT count(*) FROM vector WHERE vector.model = model.id) AS vectors FROM model ORDER BY id`,
          )
          .all(),
      };
    } finally {
      db.close();
    }
  });
}

const isIntact = (db: Database): boolean =>
  db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check === "ok";

const bytesOf = (path: string): number =>
  ["", "-wal"].reduce((sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0), 0);
