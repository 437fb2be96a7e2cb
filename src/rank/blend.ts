import type { Ranking } from "../types.ts";
import { normalisers } from "./normalisers.ts";
import { byScore, lowest } from "./ranking.ts";

/**
 * Orders the head of a ranking by a reranker's scores and its own: final = (1 − b)·z(rerank) + b·z(fused), with the
 * z-scores taken over the head.
 *
 * The head is as long as `reranked`. The tail keeps its order below it and takes its lowest score. Equal scores keep
 * their order. A score that is not finite counts as the mean; whoever asked the reranker decides whether to use it at all.
 *
 * @param reranked the reranker's scores of the first rows, on any scale, at most as many as there are rows
 * @param b the fused score's share, in [0, 1]; 0 is the reranker alone
 * @see Montague & Aslam, CIKM 2001, doi:10.1145/502585.502657, for adding z-scores
 */
export function blend(fused: Ranking, reranked: readonly number[], b: number): Ranking {
  const head = fused.slice(0, reranked.length);
  const rerank = zscores(reranked);
  const own = zscores(head.map(({ score }) => score));
  const scores = head.map((_, i) => (1 - b) * rerank[i]! + b * own[i]!);
  const below = lowest(scores);
  const tail = fused.slice(head.length);
  return [
    ...byScore(head.map(({ id }, i) => ({ id, score: scores[i]! }))),
    ...tail.map(({ id }) => ({ id, score: below })),
  ];
}

/** A z-score needs no floor. */
const zscores = (scores: readonly number[]): readonly number[] => normalisers.zscore(scores, Number.NEGATIVE_INFINITY);
