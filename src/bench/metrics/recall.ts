import { countRelevant, type Judgements, relevantIn } from "../judgements.ts";

/**
 * The share of the relevant documents that are among the first `k`: `recall` of trec_eval, `set_recall` for k =
 * Infinity.
 */
export function recall(ranked: readonly string[], judged: Judgements, k: number): number {
  const relevant = countRelevant(judged);
  return relevant === 0 ? 0 : relevantIn(ranked, judged, k) / relevant;
}
