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
  };
}

type Matrix = {
  readonly size: number;
  nearest(vector: Float32Array, limit: number): Ranking;
};

/** Reads all vectors of a level, `dims` numbers each, as unit vectors. Row order is that of the database. */
export function loadMatrix(db: Database, level: Level, dims: number): Matrix {
  const from = `${level} JOIN vectors.vector AS v ON v.id = ${level}.vector`;
  const size = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
  const ids = new Float64Array(size);
  const products = openProducts(size, dims);
  const rows = db.query<{ id: number; value: Uint8Array }, [number]>(
    `SELECT ${level}.id, v.value FROM ${from} ORDER BY ${level}.id LIMIT ?`,
  );
  let row = 0;
  // One by one: all at once they would take the matrix's memory a second time.
  for (const { id, value } of rows.iterate(size)) {
    ids[row] = id;
    products.put(row++, value);
  }
  return {
    size,
    nearest(vector, limit) {
      const best = openBest(limit);
      const cosines = products.of(vector);
      for (let i = 0; i < size; i++) best.add(ids[i]!, cosines[i]!);
      return best.ranking();
    },
  };
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
