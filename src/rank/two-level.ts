import type { Ranking } from "../types.ts";
import { byScore, lowest, settled } from "./ranking.ts";

/**
 * Mixes the score of a section with that of its note: s = (1 − gamma)·section + gamma·note.
 *
 * Both rankings must be of one leg and on one scale; cosines are as they stand. A note that was not found counts as the
 * lowest that was, and as 0 when none was. Only the given sections are ranked; equal scores keep their order.
 * The mix of a passage's and its document's score goes back to Callan, SIGIR 1994.
 *
 * @param notes scores of whole notes, by the ids that `noteOf` gives
 * @param gamma the note's share, in [0, 1]
 */
export function twoLevel(sections: Ranking, notes: Ranking, noteOf: (id: number) => number, gamma = 0.5): Ranking {
  const found = new Map(settled(notes).map(({ id, score }) => [id, score]));
  const missing = lowest([...found.values()]);
  return byScore(
    settled(sections).map(({ id, score }) => ({
      id,
      score: (1 - gamma) * score + gamma * (found.get(noteOf(id)) ?? missing),
    })),
  );
}
