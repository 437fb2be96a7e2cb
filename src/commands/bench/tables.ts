import { type Comparison, compare } from "../../bench/compare.ts";
import type { Result, Scores } from "../../bench/result.ts";
import { holm } from "../../bench/significance.ts";
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
    cost.indexSeconds === null ? dash : `${cost.indexSeconds.toFixed(1)} s`,
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
  const rows = [...sets].flatMap(([set, [first, ...others]]) => {
    if (first === undefined) return [];
    const comparisons = others.map((other) => compare(scoresOf(first, "ndcg@10"), scoresOf(other, "ndcg@10")));
    const corrected = holm(comparisons.map(({ p }) => p));
    return comparisons.map((comparison, i) => [
      set,
      `${others[i]?.system} − ${first.system}`,
      ...comparisonCells(comparison, corrected[i]),
    ]);
  });
  return columns([["data set", "difference", "ndcg@10", "95 %", "p", "p (Holm)", "better", "worse", "same"], ...rows]);
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;

export const comparisonCells = (
  { difference, ci95, p, wins, losses, ties }: Comparison,
  corrected: number | undefined,
): string[] => [
  signed(difference),
  `${signed(ci95.low)}..${signed(ci95.high)}`,
  pValue(p),
  corrected === undefined ? dash : pValue(corrected),
  String(wins),
  String(losses),
  String(ties),
];

export const pValue = (p: number): string => (p < 0.0001 ? "< 0.0001" : p.toFixed(4));
