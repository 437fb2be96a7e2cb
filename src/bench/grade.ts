import { GestaltError } from "../errors.ts";
import type { Outcome } from "./examine.ts";
import { wilson } from "./significance.ts";
import { type Interval, mean } from "./statistics.ts";

/** A share of `n` cases, with its Wilson interval. */
export type Share = { readonly share: number; readonly hits: number; readonly n: number; readonly ci95: Interval };

/** How a bucket came out. `block` is over the cases that name a section and whose note was found. */
export type Grade = {
  readonly bucket: string;
  readonly cases: number;
  readonly recall1: Share;
  readonly recall3: Share;
  readonly recall5: Share;
  readonly mrr: number;
  readonly block: Share | null;
};

export type Grades = {
  readonly buckets: readonly Grade[];
  readonly all: Grade;
  /** Cases that the notes do not answer. */
  readonly negatives: number;
  /** How well the score of the first hit tells answered from unanswerable; null without both, or when the answers came in several ways. */
  readonly auroc: number | null;
  /**
   * What hooks would have done with the questions as prompts: been silent on those that the notes do not answer, served
   * those whose answer is among the first three. Null without such questions.
   */
  readonly silent: Share | null;
  readonly served: Share | null;
};

/** @throws GestaltError("bad-dataset") when there is nothing to grade: an empty evaluation never passes */
export function grade(outcomes: readonly Outcome[]): Grades {
  const asked = outcomes.filter(({ negative }) => !negative);
  if (asked.length === 0)
    throw new GestaltError("bad-dataset", "no question has an expected answer", "gestalt eval make, or write some");
  const buckets = [...Map.groupBy(asked, ({ bucket }) => bucket)].map(([name, held]) => gradeOf(name, held));
  const negatives = outcomes.filter(({ negative }) => negative);
  const modes = new Set(outcomes.map(({ mode }) => mode));
  const found = asked.filter(({ rank }) => rank !== null && rank <= 3);
  const scores = (some: readonly Outcome[]) => some.map(({ top }) => top ?? Number.NEGATIVE_INFINITY);
  return {
    buckets: buckets.sort((a, b) => (a.bucket < b.bucket ? -1 : 1)),
    all: gradeOf("all", asked),
    negatives: negatives.length,
    auroc: negatives.length === 0 || modes.size > 1 ? null : auroc(scores(asked), scores(negatives)),
    silent: shareOf(negatives.filter(({ served }) => !served).length, negatives.length),
    served: shareOf(found.filter(({ served }) => served).length, found.length),
  };
}

function gradeOf(bucket: string, outcomes: readonly Outcome[]): Grade {
  const within = (k: number) =>
    ofSome(outcomes.filter(({ rank }) => rank !== null && rank <= k).length, outcomes.length);
  const blocks = outcomes.flatMap(({ block }) => block ?? []);
  const named = outcomes.filter(({ block }) => block !== null).length;
  return {
    bucket,
    cases: outcomes.length,
    recall1: within(1),
    recall3: within(3),
    recall5: within(5),
    mrr: mean(outcomes.map(({ rank }) => (rank === null ? 0 : 1 / rank))),
    block: shareOf(blocks.filter(Boolean).length, named),
  };
}

const ofSome = (hits: number, n: number): Share => ({ share: hits / n, hits, n, ci95: wilson(hits, n) });
const shareOf = (hits: number, n: number): Share | null => (n === 0 ? null : ofSome(hits, n));

/**
 * The area under the ROC curve: how often a positive has the higher score of a pair, equal scores counted half. In
 * [0, 1], 0.5 for a score that tells nothing.
 *
 * @throws RangeError when either side is empty
 * @see Hanley & McNeil, Radiology 1982, doi:10.1148/radiology.143.1.7063747
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) throw new RangeError("AUROC needs both kinds");
  let won = 0;
  for (const positive of positives)
    for (const negative of negatives) won += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  return won / (positives.length * negatives.length);
}
