import type { Database } from "bun:sqlite";
import { type Cosines, cosinesBySql, openCosines } from "../store/cosines.ts";
import { nearest, openMatrices } from "../store/nearest.ts";
import { loadVectorFunctions } from "../store/open.ts";
import type { Level } from "../store/vectors.ts";
import type { Ranking } from "../types.ts";

/** How vectors are compared in this process. */
export type Comparing = {
  /** The rows nearest to a vector. */
  nearest(db: Database, level: Level, vector: Float32Array, limit: number): Ranking;
  /** The cosines of some rows with each other. */
  cosines(db: Database, level: Level, ids: readonly number[]): Cosines;
  drop(): void;
};

/** @param lives whether the process lives on: then vectors are kept in memory, else sqlite-vec compares them where they lie */
export function openComparing(lives: boolean): Comparing {
  const matrices = openMatrices();
  const cosines = openCosines();
  let quick: boolean | undefined;
  const isQuick = (db: Database): boolean => {
    quick ??= loadVectorFunctions(db);
    return quick;
  };
  return {
    nearest: (db, level, vector, limit) =>
      lives ? matrices.nearest(db, level, vector, limit) : nearest(db, level, vector, limit, isQuick(db)),
    cosines: (db, level, ids) => (!lives && isQuick(db) ? cosinesBySql : cosines)(db, level, ids),
    drop() {
      matrices.drop();
      quick = undefined;
    },
  };
}
