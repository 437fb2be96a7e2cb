import { GestaltError } from "../errors.ts";
import { hasRelevant } from "./beir.ts";
import type { Qrels, Run } from "./judgements.ts";
import type { Measure } from "./metrics.ts";
import { bootstrapInterval, clusterBootstrapMeans, type Interval, mean, percentileInterval } from "./statistics.ts";

/**
 * One measure over all queries: `values` per query in the order of `Score.queries`, their mean, and its 95 % bootstrap
 * interval.
 */
export type Summary = { readonly mean: number; readonly ci95: Interval; readonly values: readonly number[] };

/** What a run is worth. `measures` is keyed by the measure's name. */
export type Score = {
  /** The queries scored, in the order of the qrels. */
  readonly queries: readonly string[];
  readonly measures: ReadonlyMap<string, Summary>;
  /** Judged queries left out: nothing is relevant to them. */
  readonly excluded: number;
  /** Scored queries for which the run holds nothing. Each counts as 0. */
  readonly missing: number;
  /** Queries of the run that nobody judged. They count for nothing. */
  readonly unjudged: number;
};

/**
 * Scores a run. The order of its lists is the ranking, ties included; `readRun` puts a foreign run into trec_eval's.
 *
 * The mean is over the queries with a positive judgement, answered or not, as BEIR has it. trec_eval by default leaves
 * out what the run leaves out, and so rewards silence; its `-c` gives this mean, where no query is excluded.
 *
 * @param clusters what each query belongs to, when whole clusters are drawn for the intervals
 * @throws GestaltError("bad-dataset") when no query is left, or none of them is in the run: that is no score of 0, but
 *   a run for something else
 */
export function score(
  run: Run,
  qrels: Qrels,
  measures: readonly Measure[],
  clusters?: ReadonlyMap<string, string>,
): Score {
  const queries = [...qrels.keys()].filter((query) => hasRelevant(qrels, query));
  if (!queries.some((query) => run.has(query)))
    throw new GestaltError(
      "bad-dataset",
      `the run answers none of the ${queries.length} queries that have a relevant document`,
      "give the judgements that belong to this run",
    );
  return {
    queries,
    measures: new Map(measures.map((measure) => [measure.name, summary(run, qrels, queries, measure, clusters)])),
    excluded: qrels.size - queries.length,
    missing: queries.filter((query) => !run.get(query)?.length).length,
    unjudged: [...run.keys()].filter((query) => !qrels.has(query)).length,
  };
}

function summary(
  run: Run,
  qrels: Qrels,
  queries: readonly string[],
  measure: Measure,
  clusters: ReadonlyMap<string, string> | undefined,
): Summary {
  const values = queries.map((query) => {
    const ranked = (run.get(query) ?? []).map(({ id }) => id);
    return measure.of(ranked, qrels.get(query) ?? new Map());
  });
  const drawn = clusters && queries.map((query) => clusters.get(query) ?? query);
  return { mean: mean(values), ci95: intervalOf(values, drawn), values };
}

/** The 95 % interval of a mean, of queries or of whole clusters of them. */
export const intervalOf = (values: readonly number[], clusters: readonly string[] | undefined): Interval =>
  clusters === undefined ? bootstrapInterval(values) : percentileInterval(clusterBootstrapMeans(values, clusters));
