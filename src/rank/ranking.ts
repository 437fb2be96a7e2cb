import type { Ranking } from "../types.ts";

/** What one way of looking found. `floor` is the lowest score its scale allows: 0 for BM25, −1 for a cosine. */
export type Leg = { readonly ranking: Ranking; readonly floor: number };

/** Two ways of looking. Where a rule speaks of the first leg, it is the lexical one. */
export type Legs = { readonly lexical: Leg; readonly dense: Leg };

/** Sorts by score, highest first. Equal scores keep their order; NaN counts as the lowest score of all. */
export const byScore = (rows: Ranking): Ranking => rows.toSorted((a, b) => place(b.score) - place(a.score) || 0);

/** Sorts by score, highest first, then by id, lowest first, so that runs repeat. */
export const bestFirst = (scores: ReadonlyMap<number, number>): Ranking =>
  byScore([...scores].map(([id, score]) => ({ id, score })).sort((a, b) => a.id - b.id));

const place = (score: number): number => (Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score);

/** The rows in their order, each id once: where it stands first. */
export function distinct(ranking: Ranking): Ranking {
  const seen = new Set<number>();
  return ranking.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/**
 * The rows in their order, every score finite.
 *
 * NaN or an infinity becomes the score of the row above; at the top, that of the first finite row, or 0 without one. So
 * a ranking that was best first still is.
 */
export function settled(ranking: Ranking): Ranking {
  let last = ranking.find(({ score }) => Number.isFinite(score))?.score ?? 0;
  return ranking.map(({ id, score }) => {
    if (Number.isFinite(score)) last = score;
    return { id, score: last };
  });
}

/** The lowest of some numbers; 0 of none. */
export const lowest = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((a, b) => Math.min(a, b));
