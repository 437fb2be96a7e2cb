import { drawIndex, pythonRandom } from "./random.ts";
import { type Draws, type Interval, PERMUTATIONS, percentileInterval, ROUNDS, SEED } from "./statistics.ts";

/** How sure an answer was, in [0, 1], and whether it was right. `signal` is what the confidence was made of. */
export type Sure = { readonly signal: number; readonly p: number; readonly right: boolean };

/** A value with its 95 % percentile bootstrap interval. */
export type Estimate = { readonly value: number; readonly ci95: Interval };

/** What a confidence is worth on questions that had no part in making it. */
export type Worth = {
  /** How often a right answer has the higher signal of a pair of a right and a wrong one; equal ones count half. */
  readonly auroc: Estimate;
  /** Mean distance of confidence and truth over ten bins of as many questions each. */
  readonly ece: Estimate;
  /** Share of wrong answers among the most confident, in steps of 5 % of the questions. */
  readonly risk: readonly { readonly coverage: number; readonly risk: number }[];
  /** Mean of those. */
  readonly aurc: Estimate;
  /** Share of right answers when only the most confident are given, and how much of what an oracle would gain that is. */
  readonly selective: readonly {
    readonly coverage: number;
    readonly accuracy: Estimate;
    readonly gap: number | null;
  }[];
};

const BINS = 10;
const STEPS = 20;
const coverages = [0.9, 0.8, 0.7] as const;

/** @throws RangeError when all answers are right, or all are wrong */
export function worthOf(sure: readonly Sure[], { rounds = ROUNDS, seed = SEED }: Draws = {}): Worth {
  // A resample of sorted questions, drawn as counts, is sorted: all measures of it are one pass.
  const sorted = sure.toSorted((a, b) => b.p - a.p || b.signal - a.signal);
  const measures = { auroc: aurocOf, ece: eceOf, aurc: aurcOf, ...selectiveMeasures };
  const names = Object.keys(measures) as (keyof typeof measures)[];
  const drawn = Object.fromEntries(names.map((name) => [name, new Float64Array(rounds)]));
  const random = pythonRandom(seed);
  for (let round = 0; round < rounds; ) {
    const resample = resampled(sorted, random);
    if (new Set(resample.map(({ right }) => right)).size < 2) continue;
    for (const name of names) drawn[name]![round] = measures[name](resample);
    round++;
  }
  const estimate = (name: keyof typeof measures): Estimate => ({
    value: measures[name](sorted),
    ci95: percentileInterval(drawn[name]!.sort()),
  });
  return {
    auroc: estimate("auroc"),
    ece: estimate("ece"),
    aurc: estimate("aurc"),
    risk: riskOf(sorted),
    selective: coverages.map((coverage) => ({
      coverage,
      accuracy: estimate(`at ${coverage}`),
      gap: gapOf(sorted, coverage),
    })),
  };
}

function resampled<T>(sorted: readonly T[], random: () => number): readonly T[] {
  const counts = new Uint32Array(sorted.length);
  for (let i = 0; i < sorted.length; i++) counts[drawIndex(random, sorted.length)]!++;
  return sorted.flatMap((each, i) => new Array<T>(counts[i]!).fill(each));
}

type Sorted = readonly Sure[];
type Measure = (sorted: Sorted) => number;

/** Of the signal, not of the confidence: where a signal misleads, its scale is below 0, and the AUROC below a half. */
const aurocOf: Measure = (sorted) => {
  const rows = sorted.toSorted((a, b) => a.signal - b.signal);
  return aurocOfRanks(
    ranksOf(rows.map(({ signal }) => signal)),
    rows.map(({ right }) => right),
  );
};

const eceOf: Measure = (sorted) => {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin++) {
    let gap = 0;
    const end = Math.floor(((bin + 1) * sorted.length) / BINS);
    for (let i = Math.floor((bin * sorted.length) / BINS); i < end; i++) {
      // Bins are counted from the least sure.
      const { p, right } = sorted[sorted.length - 1 - i]!;
      gap += p - Number(right);
    }
    sum += Math.abs(gap);
  }
  return sum / sorted.length;
};

const kept = (n: number, coverage: number): number => Math.max(1, Math.round(coverage * n));
const rightIn = (sorted: Sorted, n: number): number => {
  let count = 0;
  for (let i = 0; i < n; i++) if (sorted[i]!.right) count++;
  return count;
};
const accuracyAt = (sorted: Sorted, coverage: number): number => {
  const n = kept(sorted.length, coverage);
  return rightIn(sorted, n) / n;
};

const riskOf = (sorted: Sorted): Worth["risk"] =>
  Array.from({ length: STEPS }, (_, i) => {
    const coverage = (i + 1) / STEPS;
    return { coverage, risk: 1 - accuracyAt(sorted, coverage) };
  });

const aurcOf: Measure = (sorted) => riskOf(sorted).reduce((sum, { risk }) => sum + risk, 0) / STEPS;

const selectiveMeasures = {
  "at 0.9": (sorted: Sorted) => accuracyAt(sorted, 0.9),
  "at 0.8": (sorted: Sorted) => accuracyAt(sorted, 0.8),
  "at 0.7": (sorted: Sorted) => accuracyAt(sorted, 0.7),
};

/** What leaving out the least sure gains, as a share of what leaving out wrong ones first would; null where that is nothing. */
function gapOf(sorted: Sorted, coverage: number): number | null {
  const right = rightIn(sorted, sorted.length);
  const all = right / sorted.length;
  const oracle = Math.min(1, right / kept(sorted.length, coverage));
  return oracle === all ? null : (accuracyAt(sorted, coverage) - all) / (oracle - all);
}

/** Ranks from 1, in the order given; equal values share the middle of theirs. @param sorted lowest first */
function ranksOf(sorted: readonly number[]): readonly number[] {
  const ranks = new Array<number>(sorted.length);
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    ranks.fill((from + 1 + to) / 2, from, to);
    from = to;
  }
  return ranks;
}

/** The rank-sum form of AUROC. Of ranks that are no ranking, as after a swap, counted pair by pair over their values. */
function aurocOfRanks(ranks: readonly number[], right: readonly boolean[]): number {
  // Twice a rank is a whole number: pairs are counted by value, without sorting.
  const [positives, negatives] = [true, false].map(() => new Uint32Array(2 * ranks.length + 1));
  if (positives === undefined || negatives === undefined) return Number.NaN;
  for (const [i, rank] of ranks.entries()) (right[i] ? positives : negatives)[2 * rank]!++;
  let [won, below, ups] = [0, 0, 0];
  for (let value = 0; value < positives.length; value++) {
    won += positives[value]! * (below + negatives[value]! / 2);
    below += negatives[value]!;
    ups += positives[value]!;
  }
  return won / (ups * below);
}

/**
 * The two-sided p-value of two signals telling right from wrong equally well: how often the difference of their AUROC is
 * as large when each question's ranks by the two might as well have been swapped.
 *
 * One draw per question and permutation; the ranks stay when it is below 0.5.
 */
export function aurocTest(
  a: readonly number[],
  b: readonly number[],
  right: readonly boolean[],
  { rounds = PERMUTATIONS, seed = SEED }: Draws = {},
): number {
  const [first, second] = [a, b].map(ranked);
  if (first === undefined || second === undefined) return 1;
  const differ = (x: readonly number[], y: readonly number[]) =>
    Math.abs(aurocOfRanks(x, right) - aurocOfRanks(y, right));
  const observed = differ(first, second);
  const random = pythonRandom(seed);
  let extreme = 0;
  for (let round = 0; round < rounds; round++) {
    const swap = first.map(() => random() >= 0.5);
    const one = first.map((rank, i) => (swap[i] ? second[i]! : rank));
    const two = second.map((rank, i) => (swap[i] ? first[i]! : rank));
    if (differ(one, two) >= observed - 1e-12) extreme++;
  }
  return (extreme + 1) / (rounds + 1);
}

/** Each value's rank, in the order of the values. */
function ranked(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!);
  const ranks = ranksOf(order.map((i) => values[i]!));
  const placed = new Array<number>(values.length);
  for (const [at, i] of order.entries()) placed[i] = ranks[at]!;
  return placed;
}
