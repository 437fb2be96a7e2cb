import type { Ranking } from "../types.ts";
import { byScore, distinct } from "./ranking.ts";

/**
 * Reciprocal rank fusion: score(d) = Σ weight / (k + rank(d)), ranks counted from 1.
 *
 * Looks at ranks only, so the inputs may be on any scale. A document absent from a ranking gains nothing from it.
 * Equal scores stand in the order of first appearance: the first ranking's rows, then what the second adds, and so on.
 * The sum has no absolute meaning: with two rankings, weight 1 and k 60 it never passes 2/61.
 *
 * @param rankings any number of rankings, each best first; empty ones are fine
 * @param k damping, no unit, 0 or more; 60 is the paper's
 * @param weights one per ranking, 0 or more; 1 where none is given
 * @see Cormack, Clarke & Büttcher, SIGIR 2009, doi:10.1145/1571941.1572114
 */
export function rrf(rankings: readonly Ranking[], k = 60, weights: readonly number[] = []): Ranking {
  const scores = new Map<number, number>();
  for (const [leg, ranking] of rankings.entries())
    for (const [i, { id }] of distinct(ranking).entries())
      scores.set(id, (scores.get(id) ?? 0) + (weights[leg] ?? 1) / (k + i + 1));
  return byScore([...scores].map(([id, score]) => ({ id, score })));
}
