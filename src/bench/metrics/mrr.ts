import { isRelevant, type Judgements } from "../judgements.ts";

/**
 * 1 / rank of the first relevant document, 0 when none is among the first `k`: `recip_rank` of trec_eval for k =
 * Infinity.
 */
export function mrr(ranked: readonly string[], judged: Judgements, k: number): number {
  const first = ranked.slice(0, k).findIndex((id) => isRelevant(judged, id));
  return first === -1 ? 0 : 1 / (first + 1);
}
