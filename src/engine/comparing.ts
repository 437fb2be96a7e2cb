import type { Database } from "bun:sqlite";
import { type Cosines, cosinesBySql, openCosines } from "../store/cosines.ts";
import { nearest, openMatrices } from "../store/nearest.ts";
import { loadVectorFunctions } from "../store/open.ts";
import { unmapVectors } from "../store/vector-file.ts";
import type { Level } from "../store/vectors.ts";
import type { Ranking } from "../types.ts";

/** How vectors are compared in this process. */
export type Comparing = {
  /** The rows nearest to a vector. */
  nearest(level: Level, vector: Float32Array, limit: number): Ranking;
  /** The cosines of some rows with each other. */
  cosines(level: Level, ids: readonly number[]): Cosines;
};

/** @param lives whether the process lives on: then vectors are kept in memory, else sqlite-vec compares them where they lie */
export function openComparing(db: Database, lives: boolean): Comparing {
  const matrices = openMatrices();
  const cosines = openCosines();
  if (lives) unmapVectors(db);
  const quick = !lives && loadVectorFunctions(db);
  return {
    nearest: (level, vector, limit) =>
      lives ? matrices.nearest(db, level, vector, limit) : nearest(db, level, vector, limit, quick),
    cosines: (level, ids) => (quick ? cosinesBySql : cosines)(db, level, ids),
  };
}
