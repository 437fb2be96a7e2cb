import type { Ranking } from "../types.ts";
import { byScore, settled } from "./ranking.ts";

/** What a note says of its own age. `validUntil` is a day, `YYYY-MM-DD`, itself included. */
export type Standing = { readonly superseded: boolean; readonly validUntil: string | undefined };

/** What a score is multiplied by, each in [0, 1]; the smaller where both apply. */
export type FreshnessFactors = { readonly superseded: number; readonly expired: number };

export const freshnessDefaults: FreshnessFactors = { superseded: 0.5, expired: 0.25 };

/**
 * Lowers the notes that were superseded or have run out.
 *
 * A positive score is multiplied by the factor and a negative one divided by it, so that both sink; a factor of 0 makes a
 * negative score −∞. Equal scores keep their order. The rule is Gestalt's own.
 *
 * @param standingOf what the row's note says; undefined when nothing is known, and the score stays
 * @param today `YYYY-MM-DD`
 */
export function freshness(
  ranking: Ranking,
  standingOf: (id: number) => Standing | undefined,
  today: string,
  factors: FreshnessFactors = freshnessDefaults,
): Ranking {
  const factorOf = ({ superseded, validUntil }: Standing): number =>
    Math.min(superseded ? factors.superseded : 1, validUntil !== undefined && today > validUntil ? factors.expired : 1);
  return byScore(
    settled(ranking).map(({ id, score }) => {
      const standing = standingOf(id);
      const factor = standing === undefined ? 1 : factorOf(standing);
      return { id, score: score < 0 ? score / factor : score * factor };
    }),
  );
}
