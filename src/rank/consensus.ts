import type { Ranking } from "../types.ts";
import { likely } from "./likely.ts";
import { byScore, settled } from "./ranking.ts";

export type ConsensusKnobs = {
  /** How much a row listens to its neighbours, in [0, 1]. */
  readonly lambda: number;
  /** How many neighbours, 0 or more. */
  readonly k: number;
  /** Above 0. The higher, the more the nearest of them counts. */
  readonly power: number;
};

export const consensusDefaults: ConsensusKnobs = { lambda: 0.3, k: 10, power: 8 };

/**
 * Moves each score towards those of the row's nearest neighbours among the candidates: what stands near good answers is
 * more likely to be one.
 *
 * s'_i = (1 − λ)·s_i + λ·Σ_j w_ij·s_j, where w_ij ∝ max(0, cos(v_i, v_j))^p over the k candidates nearest to i, itself
 * left out, and each row of w sums to 1. A row with no neighbour at a positive cosine keeps its score. A row without a
 * vector has neighbours that nobody knows: their sum is what is likely at its score, else it would keep a high score that
 * others share with their neighbours. One step; equal scores keep their order, and of equally near neighbours the better
 * ranked one is taken.
 *
 * Any scale of scores will do: a·s + b with a > 0 gives a·s' + b, up to rounding.
 *
 * @param cosinesAmong for each of some rows its cosine with every one of them; undefined for a row without a vector
 * @see Diaz, CIKM 2005, doi:10.1145/1099554.1099722
 */
export function consensus(
  ranking: Ranking,
  cosinesAmong: (ids: readonly number[]) => readonly (Float32Array | undefined)[],
  { lambda, k, power }: ConsensusKnobs = consensusDefaults,
): Ranking {
  const rows = settled(ranking);
  const cosines = cosinesAmong(rows.map(({ id }) => id)).map((of, i) => of && among(of, i));
  // Summing the differences, not the scores, leaves a row exactly where it is when all its neighbours are its equals.
  const pull = (i: number): number | undefined => {
    const of = cosines[i];
    const near = of === undefined ? [] : nearest(of, k);
    if (of === undefined || near.length === 0) return undefined;
    const weights = near.map((j) => (of[j]! / of[near[0]!]!) ** power);
    const total = weights.reduce((a, b) => a + b, 0);
    return near.reduce((sum, j, n) => sum + (weights[n]! / total) * (rows[j]!.score - rows[i]!.score), 0);
  };
  const pulls = rows.map((_, i) => pull(i));
  const company = likely(
    rows.flatMap(({ score }, i) => (pulls[i] === undefined ? [] : [[score, score + pulls[i]] as const])),
  );
  const unknown = (score: number): number => (company?.(score) ?? score) - score;
  return byScore(
    rows.map(({ id, score }, i) => ({
      id,
      score: score + lambda * (pulls[i] ?? (cosines[i] === undefined ? unknown(score) : 0)),
    })),
  );
}

/** A row's cosines, at most 1; 0 with itself, and where one is no number. */
function among(cosines: Float32Array, self: number): Float32Array {
  const tame = cosines.map((cosine) => Math.min(1, cosine) || 0);
  tame[self] = 0;
  return tame;
}

/** The places of the `k` highest positive cosines, highest first, the earlier of equals first. */
function nearest(cosines: Float32Array, k: number): readonly number[] {
  const near: number[] = [];
  for (let j = 0; j < cosines.length; j++) {
    const worst = near.length < k ? 0 : cosines[near[k - 1]!]!;
    if (k === 0 || cosines[j]! <= worst) continue;
    let place = Math.min(near.length, k - 1);
    for (; place > 0 && cosines[near[place - 1]!]! < cosines[j]!; place--) near[place] = near[place - 1]!;
    near[place] = j;
  }
  return near;
}
