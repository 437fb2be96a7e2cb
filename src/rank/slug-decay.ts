import type { Ranking } from "../types.ts";
import { byScore } from "./ranking.ts";

/**
 * Makes a note's further rows give way to other notes.
 *
 * The rule is greedy: the row at rank i, from 0, is worth 1/(60 + i + 1) · decay^m, where m rows of its note are taken
 * already; the most valuable one is taken next, the earlier of equals. Rows of a note are taken in their order, so m is
 * known beforehand and one sort does it. At decay 0 each note's first row comes first, then the others in their order.
 * The given scores do not count and are replaced by that worth; at decay 1 the ranking comes back as it is.
 *
 * The rule is Gestalt's own, on the ranks of Cormack, Clarke & Büttcher, SIGIR 2009.
 *
 * @param noteOf the note a row belongs to
 * @param decay in [0, 1]
 */
export function slugDecay(ranking: Ranking, noteOf: (id: number) => number | string, decay: number): Ranking {
  if (decay === 1) return ranking;
  const taken = new Map<number | string, number>();
  return byScore(
    ranking.map(({ id }, i) => {
      const note = noteOf(id);
      const before = taken.get(note) ?? 0;
      taken.set(note, before + 1);
      return { id, score: (1 / (60 + i + 1)) * decay ** before };
    }),
  );
}
