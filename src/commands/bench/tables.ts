import { type Corrected, compare, corrected } from "../../bench/compare.ts";
import type { Cost } from "../../bench/cost.ts";
import type { Result, Scores } from "../../bench/result.ts";
import { printable } from "../failure.ts";

/** Rows as lines fit for a terminal: the first `left` columns to the left, the others to the right. */
export function columns(cells: readonly (readonly string[])[], left = 2): string {
  const rows = cells.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i < left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const dash = "–";
export const megabytes = (bytes: number | null): string => (bytes === null ? dash : `${(bytes / 1e6).toFixed(1)} MB`);
const four = (value: number | undefined): string => (value === undefined ? dash : value.toFixed(4));

/** The time of making an index; `+` where some vectors were there already, so that it takes longer than this. */
const indexing = ({ indexSeconds, vectorsFound }: Cost): string =>
  indexSeconds === null ? dash : `${indexSeconds.toFixed(1)}${vectorsFound > 0 ? "+" : ""} s`;

export function resultTable(results: readonly Result[]): string {
  const head = ["data set", "system", "form", "queries", "ndcg@10", "95 %", "recall@10", "mrr"];
  const costs = ["index", "docs/s", "p50", "p95", "memory", "words on disk"];
  const rows = results.map(({ dataset, split, system, form, queries, measures, cost }) => [
    `${dataset}/${split}`,
    system,
    form,
    String(queries.length),
    four(measures["ndcg@10"]?.mean),
    `${four(measures["ndcg@10"]?.ci95[0])}..${four(measures["ndcg@10"]?.ci95[1])}`,
    four(measures["recall@10"]?.mean),
    four(measures["mrr"]?.mean),
    indexing(cost),
    cost.documentsPerSecond === null ? dash : cost.documentsPerSecond.toFixed(0),
    `${cost.queryP50.toFixed(1)} ms`,
    `${cost.queryP95.toFixed(1)} ms`,
    megabytes(cost.peakBytes),
    megabytes(cost.indexBytes),
  ]);
  return columns([[...head, ...costs], ...rows], 3);
}

/** The scores of one measure of a result, by query. */
export const scoresOf = ({ dataset, split, system, queries, clusters, measures }: Result, name: string): Scores => ({
  name: `${dataset}.${split}.${system}`,
  byQuery: new Map(queries.map((query, i) => [query, measures[name]?.values[i] ?? Number.NaN])),
  clusters: clusters === null ? undefined : new Map(queries.map((query, i) => [query, clusters[i] ?? query])),
});

/** Each system beside the first of its data set, p-values corrected for how many there are. */
export function comparisonTable(results: readonly Result[]): string {
  const sets = Map.groupBy(results, ({ dataset, split }) => `${dataset}/${split}`);
  const comparisons = [...sets.values()].flatMap((held) => {
    const [first, ...others] = held.map((result) => scoresOf(result, "ndcg@10"));
    return first === undefined ? [] : corrected(others.map((other) => compare(first, other)));
  });
  return comparisonRows("ndcg@10", comparisons);
}

export const comparisonRows = (measure: string, comparisons: readonly Corrected[]): string =>
  columns(
    [
      ["difference", measure, "95 %", "p", "p (Holm)", "better", "worse", "same"],
      ...comparisons.map((each) => [named(each), ...comparisonCells(each)]),
    ],
    1,
  );

/** Of two systems on one split, what they have in common is said once. */
function named({ from, to }: Corrected): string {
  const common = from.slice(0, from.lastIndexOf(".") + 1);
  return common === "" || !to.startsWith(common)
    ? `${to} − ${from}`
    : `${common.slice(0, -1)}: ${to.slice(common.length)} − ${from.slice(common.length)}`;
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;

const comparisonCells = ({ difference, ci95, p, holm, wins, losses, ties }: Corrected): string[] => [
  signed(difference),
  `${signed(ci95.low)}..${signed(ci95.high)}`,
  pValue(p),
  pValue(holm),
  String(wins),
  String(losses),
  String(ties),
];

export const pValue = (p: number): string => (p < 0.0001 ? "< 0.0001" : p.toFixed(4));
