import type { Database } from "bun:sqlite";
import { vectorsOf } from "./nearest.ts";
import { openProducts, type Products } from "./products.ts";
import type { Level } from "./vectors.ts";

/** For each of some rows its cosine with every one of them, in their order; undefined for a row without a vector. */
export type Cosines = readonly (Float32Array | undefined)[];

/**
 * By sqlite-vec. A process that answers once has no compiled code: there this takes 7 ms for a hundred rows, where a loop of
 * JavaScript takes 40, and WebAssembly 7 MB for its compiler.
 */
export function cosinesBySql(db: Database, level: Level, ids: readonly number[]): Cosines {
  const rows = db
    .query<never, [string]>(
      `WITH row (i, value) AS MATERIALIZED (
         SELECT j.key, v.value FROM json_each(?) AS j
           JOIN ${level} ON ${level}.id = j.value JOIN vectors.vector AS v ON v.id = ${level}.vector)
       SELECT a.i, b.i, 1 - vec_distance_cosine(a.value, b.value) FROM row AS a JOIN row AS b ON b.i <= a.i`,
    )
    .values(JSON.stringify(ids)) as [number, number, number | null][];
  const cosines = ids.map((): Float32Array | undefined => undefined);
  const of = (i: number) => (cosines[i] ??= new Float32Array(ids.length));
  for (const [i, j, cosine] of rows) {
    of(i)[j] = cosine ?? 0;
    of(j)[i] = cosine ?? 0;
  }
  return cosines;
}

/** By our own products: for a process that lives on, and where SQLite takes no extension. */
export function openCosines(): (db: Database, level: Level, ids: readonly number[]) => Cosines {
  let room: { readonly dims: number; readonly products: Products } | undefined;
  return (db, level, ids) => {
    const vectors = vectorsOf(db, level, ids);
    const [first] = vectors.values();
    if (first === undefined) return ids.map(() => undefined);
    const dims = first.length;
    // The room is kept from question to question: making it takes longer than what is done in it.
    if (room?.dims !== dims) room = { dims, products: openProducts(dims) };
    const { products } = room;
    const none = new Float32Array(dims);
    for (const [i, id] of ids.entries()) products.put(i, vectors.get(id) ?? none);
    return ids.map((id) => {
      const vector = vectors.get(id);
      return vector && products.of(vector).slice(0, ids.length);
    });
  };
}
