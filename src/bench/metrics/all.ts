import { countRelevant, type Judgements, relevantIn } from "../judgements.ts";

/** 1 when every relevant document is among the first `k`, else 0. The all@k of long-conversation benchmarks. */
export function all(ranked: readonly string[], judged: Judgements, k: number): number {
  const relevant = countRelevant(judged);
  return relevant > 0 && relevantIn(ranked, judged, k) === relevant ? 1 : 0;
}
