import { GestaltError } from "../errors.ts";
import type { Scores } from "./result.ts";
import { intervalOf } from "./score.ts";
import { holm, permutationTest } from "./significance.ts";
import { differences, type Interval, mean } from "./statistics.ts";

/** What changed from one system to another on the same queries. Differences are `to` minus `from`. */
export type Comparison = {
  readonly from: string;
  readonly to: string;
  readonly queries: number;
  readonly fromMean: number;
  readonly toMean: number;
  readonly difference: number;
  readonly ci95: Interval;
  /** Two-sided, by sign flips. */
  readonly p: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Those that changed, most first. */
  readonly changes: readonly { readonly query: string; readonly from: number; readonly to: number }[];
};

/**
 * Compares two systems query by query.
 *
 * @throws GestaltError("bad-dataset") when they did not answer the same queries: an average over others says nothing
 */
export function compare(from: Scores, to: Scores): Comparison {
  const queries = [...from.byQuery.keys()];
  const alone =
    queries.find((query) => !to.byQuery.has(query)) ?? [...to.byQuery.keys()].find((q) => !from.byQuery.has(q));
  if (alone !== undefined || queries.length === 0)
    throw new GestaltError(
      "bad-dataset",
      queries.length === 0
        ? `${from.name} holds no query`
        : `query ${alone} is in one of ${from.name} and ${to.name} only`,
      "compare two systems on one data set and split",
    );
  const rows = queries.map((query) => ({
    query,
    from: from.byQuery.get(query) ?? Number.NaN,
    to: to.byQuery.get(query) ?? Number.NaN,
  }));
  const paired = differences(
    rows.map((row) => row.to),
    rows.map((row) => row.from),
  );
  const { clusters } = to;
  return {
    from: from.name,
    to: to.name,
    queries: queries.length,
    fromMean: mean(rows.map((row) => row.from)),
    toMean: mean(rows.map((row) => row.to)),
    difference: mean(paired),
    ci95: intervalOf(paired, clusters && queries.map((query) => clusters.get(query) ?? query)),
    p: permutationTest(paired),
    wins: paired.filter((d) => d > 0).length,
    losses: paired.filter((d) => d < 0).length,
    ties: paired.filter((d) => d === 0).length,
    changes: rows
      .filter((row) => row.to !== row.from)
      .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from)),
  };
}

/** A comparison among several; `holm` is its p-value, corrected for how many there are. */
export type Corrected = Comparison & { readonly holm: number };

/** The last of several systems beside each of the others. @throws as `compare` */
export function compareLast(systems: readonly Scores[]): readonly Corrected[] {
  const last = systems.at(-1);
  return last === undefined ? [] : corrected(systems.slice(0, -1).map((from) => compare(from, last)));
}

export function corrected(comparisons: readonly Comparison[]): readonly Corrected[] {
  const p = holm(comparisons.map((each) => each.p));
  return comparisons.map((comparison, i) => ({ ...comparison, holm: p[i] ?? comparison.p }));
}

/** What is kept of comparisons: all but the single queries, which the results have. */
export const storedComparisons = (measure: string, comparisons: readonly Corrected[]): string =>
  `${JSON.stringify({ measure, comparisons: comparisons.map(({ changes: _, ...kept }) => kept) }, null, 2)}\n`;
