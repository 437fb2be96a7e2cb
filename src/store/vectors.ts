import type { Database } from "bun:sqlite";
import { getMeta, setMeta } from "./meta.ts";
import { identityOf } from "./vector-file.ts";

/**
 * A unit vector in a quarter of its size: a little-endian float32 scale, then one signed byte per dimension.
 * The largest component becomes ±127.
 */
export function pack(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? largest / 127 : 1;
  const packed = new Uint8Array(4 + vector.length);
  new DataView(packed.buffer).setFloat32(0, scale, true);
  const bytes = new Int8Array(packed.buffer, 4);
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.round((vector[i] ?? 0) / scale);
  return packed;
}

/** The unit vector that a packed one stands for. */
export function unpack(packed: Uint8Array): Float32Array {
  const bytes = new Int8Array(packed.buffer, packed.byteOffset + 4, packed.length - 4);
  const vector = Float32Array.from(bytes);
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square) || 1;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

/** Stores vectors by key; one that is there already stays. In a transaction of its own. */
export function putVectors(
  db: Database,
  model: number,
  rows: readonly (readonly [key: Uint8Array, vector: Float32Array])[],
): void {
  const add = db.query("INSERT INTO vectors.vector (model, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  db.transaction(() => {
    for (const [key, vector] of rows) add.run(model, key, pack(vector));
  }).immediate();
}

/**
 * Points every passage and note at its vector of this model, where there is one. After a change of model, or of the file
 * of vectors, all are pointed anew.
 */
export function link(db: Database, model: number): void {
  const linked = `${identityOf(db)} ${model}`;
  db.transaction(() => {
    const others = getMeta(db, "linked") === linked ? "vector IS NULL AND" : "";
    for (const table of ["passage", "note"])
      db.query(
        `UPDATE ${table} SET vector = (SELECT id FROM vectors.vector AS v WHERE v.model = ?1 AND v.key = ${table}.key)
          WHERE ${others} key IS NOT NULL`,
      ).run(model);
    if (others === "") setMeta(db, "linked", linked);
  }).immediate();
}

/** Whether the passages point at vectors of this model in this very file. */
export const isLinked = (db: Database, model: number): boolean =>
  getMeta(db, "linked") === `${identityOf(db)} ${model}`;

/** How many passages have no vector yet. */
export const pendingCount = (db: Database): number =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM passage WHERE vector IS NULL").get()?.n ?? 0;
