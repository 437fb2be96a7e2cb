import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GestaltError, messageOf } from "../errors.ts";
import { type Fields, isFields, objectsOf, textOf } from "./json.ts";
import { trialName } from "./trial.ts";

/** `<!-- scores: scifact nfcorpus | lexical hybrid -->`, a table, `<!-- /scores -->`. */
const block = /(<!-- (scores|differences): ([^|>]+)\|([^>]+?)-->)[\s\S]*?(<!-- \/\2 -->)/g;

/** What may stand between the two marks of a table: how a set and a system become a cell, and what the table shows. */
const kinds: Readonly<Record<string, { readonly head: string; readonly cell: Cell }>> = {
  scores: { head: "nDCG@10", cell },
  differences: { head: "nDCG@10 of hybrid, less that of", cell: difference },
};
type Cell = (results: string, set: string, system: string) => string;

/**
 * A text with its tables made anew from stored results: a row for each system, a column for each data set. `scores` are
 * nDCG@10 with its interval, `differences` what hybrid has more of it, with interval and corrected p-value. What was never
 * measured is a dash. Filling twice changes nothing.
 *
 * @param results folder of stored results
 * @throws GestaltError("bad-dataset") for a result that is broken
 */
export const filled = (text: string, results: string): string =>
  text.replace(block, (_, begin: string, kind: string, sets: string, systems: string, end: string) => {
    const { head = "", cell: cellOf = cell } = kinds[kind] ?? {};
    const columns = sets.trim().split(/\s+/);
    const rows = systems.trim().split(/\s+/);
    const top = [`| ${head} |`, ...columns.map((set) => ` ${set} |`)].join("");
    const body = rows.map((system) =>
      ["| ", system, " |", ...columns.map((set) => ` ${cellOf(results, set, system)} |`)].join(""),
    );
    return [begin, top, `| --- |${" --- |".repeat(columns.length)}`, ...body, end].join("\n");
  });

/** A set may name its split: `scifact/dev`. */
function cell(results: string, set: string, system: string): string {
  const [dataset = set, split = "test"] = set.split("/");
  const file = join(results, `${trialName({ dataset, split }, system)}.json`);
  if (!existsSync(file)) return "–";
  const stored = ndcgOf(file, readFileSync(file, "utf8"));
  if (stored === undefined) throw new GestaltError("bad-dataset", `${file} holds no ndcg@10`, "measure it again");
  return `${stored.mean.toFixed(4)} (${stored.ci95.map((end) => end.toFixed(3)).join("–")})`;
}

function difference(results: string, set: string, system: string): string {
  const [dataset = set, split = "test"] = set.split("/");
  const file = join(results, `comparison.${dataset}.${split}.json`);
  if (!existsSync(file)) return "–";
  const held = objectsOf(parsed(file, readFileSync(file, "utf8"))["comparisons"]);
  const found = held.find(
    ({ from, to }) => from === `${dataset}.${split}.${system}` && to === `${dataset}.${split}.hybrid`,
  );
  if (found === undefined) return "–";
  const { difference, ci95, holm } = found;
  const [low, high] = isFields(ci95) ? [ci95["low"], ci95["high"]].map((end) => signed(Number(end), 3)) : [];
  return `${signed(Number(difference), 4)} (${low} to ${high}), p ${Number(holm).toFixed(4)}`;
}

const signed = (value: number, digits: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/** What a stored result says in a line. `embedder` is the model's name, "" without one. */
export type StoredScore = {
  readonly dataset: string;
  readonly split: string;
  readonly system: string;
  readonly embedder: string;
  readonly mean: number;
  readonly ci95: readonly number[];
};

/** @returns undefined for a file that is of something else, such as times */
export function ndcgOf(file: string, text: string): StoredScore | undefined {
  const value = parsed(file, text);
  const measures = isFields(value["measures"]) ? value["measures"] : {};
  const ndcg = measures["ndcg@10"];
  const cost = isFields(value["cost"]) ? value["cost"] : {};
  if (!isFields(ndcg) || typeof ndcg["mean"] !== "number" || !Array.isArray(ndcg["ci95"])) return undefined;
  return {
    dataset: textOf(value["dataset"]),
    split: textOf(value["split"]),
    system: textOf(value["system"]),
    embedder: textOf(cost["embedder"]),
    mean: ndcg["mean"],
    ci95: ndcg["ci95"].map(Number),
  };
}

function parsed(file: string, text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} is not JSON: ${messageOf(error)}`, "measure it again");
  }
}
