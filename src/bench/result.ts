import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher } from "bun";
import { GestaltError, messageOf } from "../errors.ts";
import { codeHashes } from "./code.ts";
import type { Cost } from "./cost.ts";
import type { Fingerprint } from "./journal.ts";
import { type Fields, isFields, textOf, textsOf } from "./json.ts";
import { type Machine, machine } from "./machine.ts";
import { defaultMeasures, measure } from "./metrics.ts";
import { type Score, score } from "./score.ts";
import { systems } from "./systems.ts";
import { clustersOf, documentsOf } from "./task.ts";
import { formatRun } from "./trec.ts";
import { type Trial, trialName } from "./trial.ts";
import { writeWhole } from "./whole.ts";

/**
 * What is kept of a trial: its scores, query by query, and all that someone needs to judge them. `smoke` says that it
 * was a run of minutes over a part of the data, and no result.
 */
export type Result = {
  readonly dataset: string;
  readonly split: string;
  readonly system: string;
  /** What a document was to the system. */
  readonly form: string;
  readonly smoke: boolean;
  readonly documents: number;
  readonly queries: readonly string[];
  /** What each query belongs to, where whole clusters were drawn for the intervals; else null. */
  readonly clusters: readonly string[] | null;
  readonly excluded: number;
  readonly missing: number;
  /** By the measure's name; `values` in the order of `queries`. */
  readonly measures: Readonly<Record<string, Measured>>;
  readonly cost: Cost;
  readonly fingerprint: Fingerprint;
  readonly code: Readonly<Record<string, string>>;
  readonly machine: Machine;
  readonly command: string;
  /** SHA-256 of the run file. */
  readonly run: string;
};

export type Measured = {
  readonly mean: number;
  readonly ci95: readonly [low: number, high: number];
  readonly values: readonly number[];
};

/** As the reference reports conversations: the share of the evidence found, any of it, all of it. */
const conversationMeasures = [
  "ndcg@10",
  "mrr",
  ...["recall", "success", "all"].flatMap((metric) => [1, 3, 5, 10].map((k) => `${metric}@${k}`)),
];

/** Scores a trial. @param command what was typed to get it */
export function resultOf(trial: Trial, command: string): Result {
  const { task, system, run, cost, fingerprint } = trial;
  const clusters = clustersOf(task);
  const names = clusters === undefined ? defaultMeasures : conversationMeasures;
  const scored = score(run, task.qrels, names.map(measure), clusters);
  return {
    dataset: task.dataset,
    split: task.split,
    system,
    form: systems[system].form,
    smoke: task.smoke,
    documents: documentsOf(task),
    queries: scored.queries,
    clusters: clusters === undefined ? null : scored.queries.map((query) => clusters.get(query) ?? query),
    excluded: task.excluded,
    missing: scored.missing,
    measures: measuresOf(scored),
    cost,
    fingerprint,
    code: codeHashes,
    machine: machine(),
    command,
    run: new CryptoHasher("sha256").update(runText(trial)).digest("hex"),
  };
}

export const measuresOf = ({ measures }: Score): Readonly<Record<string, Measured>> =>
  Object.fromEntries(
    [...measures].map(([name, { mean, ci95, values }]) => [name, { mean, ci95: [ci95.low, ci95.high], values }]),
  );

const runText = ({ run, system }: Trial): string => formatRun(run, `gestalt-${system}`);

/** Writes a trial's result and its run file into a folder. Returns the path of the result. */
export function saveResult(folder: string, trial: Trial, result: Result): string {
  mkdirSync(folder, { recursive: true });
  const stem = join(folder, trialName(trial.task, trial.system));
  writeFileSync(`${stem}.run`, runText(trial));
  writeWhole(`${stem}.json`, `${JSON.stringify({ ...result, measures: shortened(result.measures) })}\n`);
  return `${stem}.json`;
}

/** Scores of single queries to six digits: enough to compare by, a third of the size. */
const shortened = (measures: Result["measures"]): Result["measures"] =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { mean, ci95, values }]) => [
      name,
      { mean, ci95, values: values.map((value) => Number(value.toFixed(6))) },
    ]),
  );

/** What other programs read: the means by name, and the interval of the first measure. */
export const shortResult = ({ measures, queries, clusters, ...result }: Result): Fields => ({
  dataset: result.dataset,
  split: result.split,
  system: result.system,
  form: result.form,
  ...(result.smoke ? { smoke: true } : {}),
  documents: result.documents,
  queries: queries.length,
  ...Object.fromEntries(Object.entries(measures).map(([name, { mean }]) => [name, mean])),
  ci95: Object.values(measures)[0]?.ci95 ?? [],
  ...(clusters === null ? {} : { clusters: new Set(clusters).size }),
  excluded: result.excluded,
  missing: result.missing,
  ...result.cost,
  fingerprint: result.fingerprint,
});

/** One measure of a stored result, by query. */
export type Scores = {
  readonly name: string;
  readonly byQuery: ReadonlyMap<string, number>;
  readonly clusters: ReadonlyMap<string, string> | undefined;
};

/**
 * Reads one measure of a stored result.
 *
 * @throws GestaltError("bad-dataset") when the file is no result, or lacks that measure
 */
export function readScores(file: string, text: string, name: string): Scores & { readonly smoke: boolean } {
  const value = parsed(file, text);
  const queries = textsOf(value["queries"]);
  const measures = isFields(value["measures"]) ? value["measures"] : {};
  const held = measures[name];
  const values = isFields(held) && Array.isArray(held["values"]) ? held["values"] : [];
  const numbers = values.filter((each) => typeof each === "number");
  if (queries.length === 0 || numbers.length !== queries.length)
    throw new GestaltError(
      "bad-dataset",
      `${file} holds no ${name} for each query`,
      `one of ${Object.keys(measures).join(", ") || "the files that gestalt bench --out writes"}`,
    );
  return {
    name: [value["dataset"], value["split"], value["system"]].map(textOf).join("."),
    byQuery: new Map(queries.map((query, i) => [query, numbers[i] ?? Number.NaN])),
    clusters: zipped(queries, value["clusters"]),
    smoke: value["smoke"] === true,
  };
}

function zipped(queries: readonly string[], value: unknown): ReadonlyMap<string, string> | undefined {
  const clusters = textsOf(value);
  if (clusters.length !== queries.length) return undefined;
  return new Map(queries.map((query, i) => [query, clusters[i] ?? query]));
}

function parsed(file: string, text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} is not JSON: ${messageOf(error)}`, "gestalt bench --out DIR");
  }
  throw new GestaltError("bad-dataset", `${file} is not a result`, "gestalt bench --out DIR");
}
