import { rrf } from "../rank/rrf.ts";
import type { Scored } from "./judgements.ts";

/** What is known of one answer. `sure` is the second reader's score of its first hit, where there was one. */
export type Looked = {
  readonly found: readonly Scored[];
  readonly sure?: number | undefined;
  /** What words alone and meaning alone found, where there are vectors. */
  readonly words?: readonly Scored[] | undefined;
  readonly meaning?: readonly Scored[] | undefined;
};

/** Given one answer, and the median of the first hits' scores over all answers. Higher is more confident. */
type Signal = (answer: Looked, median: number) => number | undefined;

/** Looked at for entropy. */
const HEAD = 10;

export const top = ({ sure, found }: Looked): number | undefined => sure ?? found[0]?.score;

/** Every signal, fixed before anything was measured: the reference's. A signal that an answer does not have is undefined. */
export const signals: Readonly<Record<string, Signal>> = {
  top1: top,
  margin: ({ found }) => gap(found),
  entropy: ({ found }) => (found.length === 0 ? undefined : -entropy(found.slice(0, HEAD).map(({ score }) => score))),
  n_above: ({ found }, median) => found.filter(({ score }) => score > median).length,
  dense_top: ({ meaning }) => meaning?.[0]?.score,
  bm25_top: ({ words }) => words?.[0]?.score,
  rrf_margin: ({ words, meaning }) =>
    words === undefined || meaning === undefined ? undefined : gap(fused(words, meaning)),
};

const gap = ([first, second]: readonly { readonly score: number }[]): number | undefined =>
  first === undefined ? undefined : first.score - (second?.score ?? 0);

/** Of the softmax of scores, in nats. */
function entropy(scores: readonly number[]): number {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.reduce((total, power) => total - (power === 0 ? 0 : (power / sum) * Math.log(power / sum)), 0);
}

/** Ranks of documents by name: fusion knows them by number. */
function fused(words: readonly Scored[], meaning: readonly Scored[]) {
  const numbers = new Map<string, number>();
  const numbered = (found: readonly Scored[]) =>
    found.map(({ id, score }) => {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      return { id: number, score };
    });
  return rrf([numbered(words), numbered(meaning)]);
}
