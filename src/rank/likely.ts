import type { Ranking } from "../types.ts";
import { byScore, distinct, lowest, settled } from "./ranking.ts";

/**
 * What a row's y is likely to be when only its x is known, learnt from rows of which both are: the line of least squares,
 * never falling and never outside the ys that were seen. Their mean where all xs are equal.
 *
 * @returns undefined when there is nothing to learn from
 */
export function likely(known: readonly (readonly [x: number, y: number])[]): ((x: number) => number) | undefined {
  if (known.length === 0) return undefined;
  let [meanX, meanY, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, [x, y]] of known.entries()) {
    // Step by step, so that the mean of equal numbers is exactly that number.
    meanX += (x - meanX) / (i + 1);
    meanY += (y - meanY) / (i + 1);
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  let [together, alone] = [0, 0];
  for (const [x, y] of known) {
    together += (x - meanX) * (y - meanY);
    alone += (x - meanX) ** 2;
  }
  const slope = together / alone;
  // Neither a falling line, nor one through a single place, nor one from numbers too large to be squared.
  const rises = slope > 0 && slope < Number.POSITIVE_INFINITY;
  return (x) => Math.max(low, Math.min(high, rises ? meanY + slope * (x - meanX) : meanY));
}

/**
 * A leg with the rows put in that it could not see, so that nothing is held against them. Each takes the score that is
 * likely for one that stands where it does in the other leg.
 *
 * A row that the leg could see and did not find counts as its lowest. Where the other leg has no row that could be seen,
 * nothing speaks against the unseen ones: they take the leg's best score.
 *
 * @param unseen ids that the leg could not see; those of them that are in `other` are put in
 */
export function completed(leg: Ranking, other: Ranking, unseen: ReadonlySet<number>): Ranking {
  const [best] = leg;
  const rows = settled(distinct(other));
  const missing = rows.filter(({ id }) => unseen.has(id));
  if (best === undefined || missing.length === 0) return leg;
  const scores = new Map(leg.map(({ id, score }) => [id, score]));
  const low = lowest([...scores.values()]);
  const guess = likely(
    rows.filter(({ id }) => !unseen.has(id)).map(({ id, score }) => [score, scores.get(id) ?? low] as const),
  );
  return byScore([...leg, ...missing.map(({ id, score }) => ({ id, score: guess?.(score) ?? best.score }))]);
}
