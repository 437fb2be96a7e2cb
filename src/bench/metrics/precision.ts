import { type Judgements, relevantIn } from "../judgements.ts";

/**
 * The share of the first `k` that is relevant: `P` of trec_eval. A list shorter than `k` is not excused: its missing
 * places count as not relevant. For k = Infinity the share of all that was found, `set_P`.
 */
export function precision(ranked: readonly string[], judged: Judgements, k: number): number {
  const places = Number.isFinite(k) ? k : ranked.length;
  return places === 0 ? 0 : relevantIn(ranked, judged, k) / places;
}
