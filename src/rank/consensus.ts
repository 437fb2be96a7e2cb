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
 * Any scale of scores will do: a·s + b with a > 0 gives a·s' + b, up to rounding. Cost: n²/2 dot products.
 *
 * @param vectorOf a vector of unit length, of one dimension for all
 * @see Diaz, CIKM 2005, doi:10.1145/1099554.1099722
 */
export function consensus(
  ranking: Ranking,
  vectorOf: (id: number) => Float32Array | undefined,
  { lambda, k, power }: ConsensusKnobs = consensusDefaults,
): Ranking {
  const rows = settled(ranking);
  const vectors = rows.map(({ id }) => plain(vectorOf(id)));
  const cosines = cosinesOf(vectors);
  // Summing the differences, not the scores, leaves a row exactly where it is when all its neighbours are its equals.
  const pull = (i: number): number | undefined => {
    const near = nearest(cosines[i]!, k);
    if (near.length === 0) return undefined;
    const weights = near.map((j) => (cosines[i]![j]! / cosines[i]![near[0]!]!) ** power);
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
      score: score + lambda * (pulls[i] ?? (vectors[i] === undefined ? unknown(score) : 0)),
    })),
  );
}

/**
 * The same numbers in a plain array, which code that is not compiled reads much faster: with it a prompt's hook takes 72 ms of
 * the processor instead of 151. To copy them one by one would take as long as is won.
 */
const plain = (vector: Float32Array | undefined): readonly number[] | undefined =>
  vector && (Array.prototype.slice.call(vector) as number[]);

/** The cosine of every pair, at most 1. 0 for a row with itself, without a vector, or with numbers that are none. */
function cosinesOf(vectors: readonly (readonly number[] | undefined)[]): readonly Float64Array[] {
  const cosines = vectors.map(() => new Float64Array(vectors.length));
  for (const [i, a] of vectors.entries())
    for (let j = 0; j < i; j++) {
      const b = vectors[j];
      if (a === undefined || b === undefined) continue;
      const cosine = Math.min(1, dot(a, b)) || 0;
      cosines[i]![j] = cosine;
      cosines[j]![i] = cosine;
    }
  return cosines;
}

/** The places of the `k` highest positive cosines, highest first, the earlier of equals first. */
function nearest(cosines: Float64Array, k: number): readonly number[] {
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

/** Four sums side by side: one sum would wait for itself at every step. */
function dot(a: readonly number[], b: readonly number[]): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let i = 0;
  for (; i + 3 < a.length; i += 4) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
  }
  for (; i < a.length; i++) s0 += a[i]! * b[i]!;
  return s0 + s1 + s2 + s3;
}
