import type { Database } from "bun:sqlite";
import type { Ranking } from "../types.ts";
import { openBest } from "./best.ts";
import { bytesOf, type Level, vectorIn } from "./vectors.ts";

/**
 * The `limit` rows nearest to a unit vector by cosine, exact; equal ones by id. Reads every vector from the database: for a
 * process that answers once. Linear in the number of vectors.
 *
 * @param quick whether sqlite-vec is loaded; without it the same is done in JavaScript, about twice as slowly
 */
export function nearest(db: Database, level: Level, vector: Float32Array, limit: number, quick: boolean): Ranking {
  if (!quick) return loadMatrix(db, level, vector.length).nearest(vector, limit);
  return db
    .query<{ id: number; score: number }, [Uint8Array, number]>(
      `SELECT ${level}.id, 1 - vec_distance_cosine(v.value, ?) AS score
         FROM ${level} JOIN vectors.vector AS v ON v.id = ${level}.vector
        ORDER BY score DESC, ${level}.id LIMIT ?`,
    )
    .all(bytesOf(vector), limit);
}

/** What `nearest` gives, from vectors kept in memory: for a process that lives on. Read anew when anything was written. */
export type Matrices = {
  nearest(db: Database, level: Level, vector: Float32Array, limit: number): Ranking;
  drop(): void;
};

export function openMatrices(): Matrices {
  const kept = new Map<Level, { readonly stamp: string; readonly matrix: Matrix }>();
  return {
    nearest(db, level, vector, limit) {
      const stamp = stampOf(db);
      const before = kept.get(level);
      const matrix = before?.stamp === stamp ? before.matrix : loadMatrix(db, level, vector.length);
      kept.set(level, { stamp, matrix });
      return matrix.nearest(vector, limit);
    },
    drop: () => kept.clear(),
  };
}

type Matrix = {
  readonly size: number;
  nearest(vector: Float32Array, limit: number): Ranking;
};

/** Reads all vectors of a level, `dims` numbers each, as unit vectors. Row order is that of the database. */
export function loadMatrix(db: Database, level: Level, dims: number): Matrix {
  const rows = db
    .query<never, []>(
      `SELECT ${level}.id, v.value FROM ${level} JOIN vectors.vector AS v ON v.id = ${level}.vector ORDER BY ${level}.id`,
    )
    .values() as [number, Uint8Array][];
  const ids = new Float64Array(rows.length);
  const cells = new Float32Array(rows.length * dims);
  for (const [row, [id, bytes]] of rows.entries()) {
    ids[row] = id;
    cells.set(vectorIn(bytes), row * dims);
  }
  return { size: rows.length, nearest: (vector, limit) => scan(ids, cells, vector, limit) };
}

/** One pass over the matrix, four sums at a time: they do not wait for each other. */
function scan(ids: Float64Array, cells: Float32Array, vector: Float32Array, limit: number): Ranking {
  const dims = vector.length;
  const best = openBest(limit);
  for (let row = 0, at = 0; row < ids.length; row++, at += dims) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < dims; i += 4) {
      a += cells[at + i]! * vector[i]!;
      b += cells[at + i + 1]! * vector[i + 1]!;
      c += cells[at + i + 2]! * vector[i + 2]!;
      d += cells[at + i + 3]! * vector[i + 3]!;
    }
    for (; i < dims; i++) a += cells[at + i]! * vector[i]!;
    best.add(ids[row]!, Math.fround(a + b + c + d));
  }
  return best.ranking();
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
  const own = db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
  const main = db.query<{ data_version: number }, []>("PRAGMA main.data_version").get()?.data_version;
  const vectors = db.query<{ data_version: number }, []>("PRAGMA vectors.data_version").get()?.data_version;
  return `${own} ${main} ${vectors}`;
};
