import { type Judgements, relevantIn } from "../judgements.ts";

/**
 * 1 when any relevant document is among the first `k`, else 0: `success` of trec_eval, also known as any@k and hit
 * rate.
 */
export const success = (ranked: readonly string[], judged: Judgements, k: number): number =>
  relevantIn(ranked, judged, k) > 0 ? 1 : 0;
