import type { Ranking } from "../types.ts";

/** The last place, counted from 1, that what must be seen may have. */
const place = 3;

/**
 * Sees to it that the best of the passages that hold an exact thing asked for (an identifier, an error code, a quoted phrase)
 * stands among the first three, whatever the rest of the ranking thinks. Moves at most one passage, and loses none.
 *
 * @param exact passages that hold it, best first; empty when nothing exact was asked for
 */
export function insist(ranking: Ranking, exact: Ranking): Ranking {
  const wanted = new Set(exact.map(({ id }) => id));
  const [best] = exact;
  if (best === undefined || ranking.slice(0, place).some(({ id }) => wanted.has(id))) return ranking;
  const others = ranking.filter(({ id }) => id !== best.id);
  const above = others.slice(0, place - 1);
  const score = above.at(-1)?.score ?? best.score;
  return [...above, { id: best.id, score }, ...others.slice(place - 1)];
}
