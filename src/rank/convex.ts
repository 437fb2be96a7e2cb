import type { Ranking } from "../types.ts";
import { type NormaliserName, normalisers } from "./normalisers.ts";
import { bestFirst, byScore, distinct, type Leg, type Legs, lowest } from "./ranking.ts";

/** What a document gets from a leg that does not have it: nothing, or that leg's lowest normalised score. */
export type Missing = "zero" | "leg_min";

export type ConvexKnobs = {
  /** The lexical leg's share, in [0, 1]. */
  readonly alpha: number;
  readonly norm: NormaliserName;
  readonly missing: Missing;
};

/**
 * Convex combination: score(d) = alpha·norm(lexical) + (1 − alpha)·norm(dense).
 *
 * Equal scores: the better of a document's ranks in the two legs decides, then the smaller id. An empty leg gives 0.
 * Of an id that a leg repeats, the first score counts.
 *
 * @see Bruch, Gai & Ingber, TOIS 2023, doi:10.1145/3596512
 */
export function convex({ lexical, dense }: Legs, { alpha, norm, missing }: ConvexKnobs): Ranking {
  const words = normalised(lexical, norm);
  const meaning = normalised(dense, norm);
  const [noWords, noMeaning] = [absentFrom(words, missing), absentFrom(meaning, missing)];
  const score = (id: number): number =>
    alpha * (words.get(id) ?? noWords) + (1 - alpha) * (meaning.get(id) ?? noMeaning);
  return byScore(bestRankFirst([words, meaning]).map((id) => ({ id, score: score(id) })));
}

/** Id to normalised score, in the order of the leg. */
function normalised({ ranking, floor }: Leg, norm: NormaliserName): ReadonlyMap<number, number> {
  const rows = distinct(ranking);
  const scores = normalisers[norm](
    rows.map((row) => row.score),
    floor,
  );
  return new Map(rows.map(({ id }, i) => [id, scores[i]!]));
}

const absentFrom = (leg: ReadonlyMap<number, number>, missing: Missing): number =>
  missing === "zero" ? 0 : lowest([...leg.values()]);

function bestRankFirst(legs: readonly ReadonlyMap<number, unknown>[]): number[] {
  const nearness = new Map<number, number>();
  for (const leg of legs)
    for (const [i, id] of [...leg.keys()].entries()) nearness.set(id, Math.max(nearness.get(id) ?? -i, -i));
  return bestFirst(nearness).map(({ id }) => id);
}
