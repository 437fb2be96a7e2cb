import type { Judgements } from "../judgements.ts";

/**
 * nDCG at `k`. Gain is the grade itself; discount is log2(rank + 1); the ideal order is that of all judged documents.
 *
 * This is `ndcg_cut` of trec_eval (`ndcg` for k = Infinity). The 2^grade form of Burges et al. gives other numbers on
 * graded data.
 *
 * @see Järvelin & Kekäläinen, TOIS 2002, doi:10.1145/582415.582418
 */
export function ndcg(ranked: readonly string[], judged: Judgements, k: number): number {
  const grades = ranked.map((id) => judged.get(id) ?? 0);
  const ideal = dcg(
    [...judged.values()].sort((a, b) => b - a),
    k,
  );
  return ideal === 0 ? 0 : dcg(grades, k) / ideal;
}

const dcg = (grades: readonly number[], k: number): number =>
  grades.slice(0, k).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
