import type { Ranking } from "../types.ts";
import { type NormaliserName, normalisers } from "./normalisers.ts";
import { distinct, type Legs, settled } from "./ranking.ts";
import { rrf } from "./rrf.ts";

/** When a lexical hit is put into the dense order, and where. Counts of rows, 0 or more; `rank` and `at` count from 0. */
export type RescueKnobs = {
  readonly norm: NormaliserName;
  /** Only lexical hits before this rank. */
  readonly rank: number;
  /** Only with at least this normalised score, which is taken over the whole lexical leg. */
  readonly min: number;
  /** Only when absent from that many of the first dense rows, or from the first `at` when those are more. */
  readonly window: number;
  /** Where they are put, in lexical order; at the end when there are fewer dense rows. */
  readonly at: number;
  /** How many at most. */
  readonly max: number;
};

/**
 * Dense order, into which the best lexical hits are put that it lacks.
 *
 * A rescued row takes the score of the row above it, or of the first dense one when there is none above. Lexical rows
 * that are neither dense nor rescued follow at the end, in their order and with the last score. Without a dense leg:
 * RRF over the lexical one. The rule is Gestalt's own; no paper measures it.
 */
export function rescue({ lexical, dense }: Legs, { norm, rank, min, window, at, max }: RescueKnobs): Ranking {
  if (dense.ranking.length === 0) return rrf([lexical.ranking]);
  const words = distinct(lexical.ranking);
  const meaning = distinct(dense.ranking);
  const scores = normalisers[norm](
    words.map(({ score }) => score),
    lexical.floor,
  );
  const seen = idsOf(meaning.slice(0, Math.max(window, at)));
  const rescued = words.filter(({ id }, i) => i < rank && scores[i]! >= min && !seen.has(id)).slice(0, max);
  const kept = without(meaning, rescued);
  const rest = without(words, [...rescued, ...meaning]);
  return settled([...kept.slice(0, at), ...rescued.map(unscored), ...kept.slice(at), ...rest.map(unscored)]);
}

const idsOf = (rows: Ranking): ReadonlySet<number> => new Set(rows.map(({ id }) => id));

function without(rows: Ranking, others: Ranking): Ranking {
  const gone = idsOf(others);
  return rows.filter(({ id }) => !gone.has(id));
}

/** `settled` then gives it the score of the row above. */
const unscored = ({ id }: { readonly id: number }) => ({ id, score: Number.NaN });
