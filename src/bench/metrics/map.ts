import { countRelevant, isRelevant, type Judgements } from "../judgements.ts";

/**
 * Average precision: the precision at each relevant document found among the first `k`, summed, over the number of
 * relevant documents there are. Its mean over queries is MAP: `map` of trec_eval for k = Infinity, `map_cut` else.
 *
 * The divisor is the number of all relevant documents, also where it exceeds `k`, as trec_eval has it.
 */
export function map(ranked: readonly string[], judged: Judgements, k: number): number {
  const relevant = countRelevant(judged);
  let found = 0;
  let sum = 0;
  for (const [i, id] of ranked.slice(0, k).entries()) {
    if (!isRelevant(judged, id)) continue;
    found += 1;
    sum += found / (i + 1);
  }
  return relevant === 0 ? 0 : sum / relevant;
}
