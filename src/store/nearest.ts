import type { Database } from "bun:sqlite";
import type { Ranking } from "../types.ts";
import { openBest } from "./best.ts";
import { changesOf } from "./meta.ts";
import { openProducts } from "./products.ts";
import { bytesOf, type Level, vectorIn } from "./vectors.ts";

/**
 * The `limit` rows nearest to a unit vector by cosine, exact; equal ones by id. Reads every vector from the database: for a
 * process that answers once. Linear in the number of vectors.
 *
 * @param quick whether sqlite-vec is loaded; without it the same is done in JavaScript, about twice as slowly
 */
export function nearest(db: Database, level: Level, vector: Float32Array, limit: number, quick: boolean): Ranking {
  if (!quick) return openMatrix(level, vector.length).nearest(db, vector, limit);
  return db
    .query<{ id: number; score: number }, [Uint8Array, number]>(
      `SELECT ${level}.id, 1 - vec_distance_cosine(v.value, ?) AS score
         FROM ${level} JOIN vectors.vector AS v ON v.id = ${level}.vector
        ORDER BY score DESC, ${level}.id LIMIT ?`,
    )
    .all(bytesOf(vector), limit);
}

/** What `nearest` gives, by vectors kept in memory: for a process that lives on. */
export type Matrices = {
  nearest(db: Database, level: Level, vector: Float32Array, limit: number): Ranking;
};

export function openMatrices(): Matrices {
  const kept = new Map<Level, Matrix>();
  return {
    nearest(db, level, vector, limit) {
      const before = kept.get(level);
      const matrix = before?.dims === vector.length ? before : openMatrix(level, vector.length);
      kept.set(level, matrix);
      return matrix.nearest(db, vector, limit);
    },
  };
}

type Matrix = {
  /** How many numbers a vector has. */
  readonly dims: number;
  nearest(db: Database, vector: Float32Array, limit: number): Ranking;
};

/** The vectors of a level. When anything was written, what is new or gone since is taken in. */
function openMatrix(level: Level, dims: number): Matrix {
  const products = openProducts(dims);
  const free: number[] = [];
  let links: Links = { ids: new Float64Array(), vectors: new Float64Array() };
  /** By link: its row of the matrix; −1 for none. By row: whose it is; 0 for nobody. */
  let rows = new Int32Array();
  const ids: number[] = [];
  let stamp: string | undefined;

  function follow(db: Database): void {
    const now = linksOf(db, level);
    const { kept, gone } = matched(links, rows, now);
    for (const row of gone) ids[row] = 0;
    free.push(...gone);
    [links, rows] = [now, kept];
    const missing = [...kept.keys()].filter((link) => kept[link]! < 0);
    for (let i = 0; i < missing.length; i += batch) {
      const some = missing.slice(i, i + batch);
      const values = valuesOf(
        db,
        some.map((link) => now.vectors[link]!),
      );
      for (const link of some) {
        const value = values.get(now.vectors[link]!);
        if (value?.length !== dims) continue;
        const row = free.pop() ?? ids.length;
        products.put(row, value);
        ids[row] = now.ids[link]!;
        kept[link] = row;
      }
    }
  }

  return {
    dims,
    nearest(db, vector, limit) {
      const now = stampOf(db);
      if (now !== stamp) follow(db);
      stamp = now;
      const best = openBest(limit);
      const cosines = products.of(vector);
      for (let row = 0; row < cosines.length; row++) if (ids[row] !== 0) best.add(ids[row]!, cosines[row]!);
      return best.ranking();
    },
  };
}

/** The rows of links that are there still, −1 for those that are new; and the rows of those that are gone. */
function matched(before: Links, rows: Int32Array, now: Links) {
  const kept = new Int32Array(now.ids.length).fill(-1);
  const gone: number[] = [];
  let at = 0;
  for (const [i, id] of now.ids.entries()) {
    while (before.ids[at]! < id) gone.push(rows[at++]!);
    if (before.ids[at] !== id) continue;
    if (before.vectors[at] === now.vectors[i]) kept[i] = rows[at++]!;
    else gone.push(rows[at++]!);
  }
  while (at < rows.length) gone.push(rows[at++]!);
  return { kept, gone: gone.filter((row) => row >= 0) };
}

/** Vectors read at once: each is garbage as soon as it is taken in. */
const batch = 1_000;

/** Which vector each row of a level has, in the order of ids. */
type Links = { readonly ids: Float64Array; readonly vectors: Float64Array };

function linksOf(db: Database, level: Level): Links {
  // Two texts: a row of its own for each of some hundred thousand is garbage ten times as large.
  const [[ids, vectors] = ["[]", "[]"]] = db
    .query<never, []>(
      `SELECT json_group_array(id), json_group_array(vector)
         FROM (SELECT id, vector FROM ${level} WHERE vector IS NOT NULL ORDER BY id)`,
    )
    .values() as [string, string][];
  return { ids: Float64Array.from(JSON.parse(ids)), vectors: Float64Array.from(JSON.parse(vectors)) };
}

/** Vectors by their own ids. */
function valuesOf(db: Database, ids: readonly number[]): Map<number, Float32Array> {
  const rows = db
    .query<never, [string]>("SELECT id, value FROM vectors.vector WHERE id IN (SELECT value FROM json_each(?))")
    .values(JSON.stringify(ids)) as [number, Uint8Array][];
  return new Map(rows.map(([id, bytes]) => [id, vectorIn(bytes)]));
}

/** The unit vectors of some rows, by id; a row without one is left out. */
export function vectorsOf(db: Database, level: Level, ids: readonly number[]): Map<number, Float32Array> {
  const rows = db
    .query<never, [string]>(
      `SELECT ${level}.id, v.value FROM ${level} JOIN vectors.vector AS v ON v.id = ${level}.vector
        WHERE ${level}.id IN (SELECT value FROM json_each(?))`,
    )
    .values(JSON.stringify(ids)) as [number, Uint8Array][];
  return new Map(rows.map(([id, bytes]) => [id, vectorIn(bytes)]));
}

/** Changes when anything is written to an index or its vectors, by this connection or another. */
const stampOf = (db: Database): string => {
  const vectors = db.query<{ data_version: number }, []>("PRAGMA vectors.data_version").get()?.data_version;
  return `${changesOf(db)} ${vectors}`;
};
