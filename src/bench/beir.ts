import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { GestaltError } from "../errors.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { readEntries } from "./jsonl.ts";
import type { Qrels } from "./judgements.ts";
import { badLine } from "./lines.ts";
import { readQrels } from "./trec.ts";

/** A question of a benchmark. With a `group`, only documents of that group are searched. */
export type Query = { readonly id: string; readonly text: string; readonly group: string | undefined };

/** A test collection. `qrels` holds the judgements of exactly the queries in `queries`. */
export type Dataset = {
  readonly name: string;
  /** The real path of its folder. */
  readonly dir: string;
  readonly split: string;
  readonly corpus: Corpus;
  /** Those with a positive judgement, in the order of their file. */
  readonly queries: readonly Query[];
  readonly qrels: Qrels;
  /** Judged queries left out, because nothing is relevant to them: no system could do better or worse there. */
  readonly excluded: number;
};

/**
 * Reads a folder in BEIR form: `corpus.jsonl`, `queries.jsonl` (or `queries.<split>.jsonl`), `qrels/<split>.tsv`.
 *
 * Queries nobody judged are not part of the split and are passed over in silence: BEIR keeps all splits in one file.
 *
 * @param name what to call it; the folder's own name unless given
 * @throws GestaltError("bad-dataset"), with file and line where there is one: a file is missing or malformed, an id
 *   comes twice, a judgement names a query or document that does not exist, a judged query is empty, nothing is judged
 *   relevant
 */
export function loadBeir(dir: string, split: string, name?: string): Dataset {
  const judgements = existing(dir, [`qrels/${split}.tsv`]);
  const questions = existing(dir, ["queries.jsonl", `queries.${split}.jsonl`]);
  const documents = existing(dir, ["corpus.jsonl"]);

  const judged = readQrels(judgements);
  const queries = readQueries(questions, judged);
  const known = new Set(queries.map((query) => query.id));
  const stray = judged.keys().find((id) => !known.has(id));
  if (stray !== undefined) throw unknown(judgements, `query ${stray}`, questions);

  const corpus = openCorpus(documents);
  for (const ids of judged.values())
    for (const id of ids.keys()) if (!corpus.ids.has(id)) throw unknown(judgements, `document ${id}`, documents);

  const kept = queries.filter(({ id }) => hasRelevant(judged, id));
  if (kept.length === 0)
    throw new GestaltError("bad-dataset", `${judgements} judges nothing as relevant`, "check the grades in it");
  return {
    name: name ?? basename(realpathSync(dir)),
    dir: realpathSync(dir),
    split,
    corpus,
    queries: kept,
    qrels: new Map(kept.map(({ id }) => [id, judged.get(id) ?? new Map()])),
    excluded: queries.length - kept.length,
  };
}

/** The text of a document as the reference and BEIR's own baselines read it: one string, no cut. */
export const wholeText = ({ title, text }: { readonly title: string; readonly text: string }): string =>
  `${title} ${text}`.trim();

function readQueries(file: string, judged: Qrels): readonly Query[] {
  const queries = new Map<string, Query>();
  for (const { line, entry } of readEntries(file)) {
    const { id, text, group } = entry;
    if (queries.has(id)) throw badLine(file, line.number, `query ${id} comes twice`);
    if (judged.has(id) && text.trim() === "") throw badLine(file, line.number, `query ${id} is judged, but empty`);
    queries.set(id, { id, text, group });
  }
  return [...queries.values()].filter(({ id }) => judged.has(id));
}

export const hasRelevant = (qrels: Qrels, query: string): boolean =>
  qrels
    .get(query)
    ?.values()
    .some((grade) => grade > 0) ?? false;

const unknown = (judgements: string, what: string, file: string): GestaltError =>
  new GestaltError(
    "bad-dataset",
    `${judgements} judges ${what}, which is not in ${file}`,
    "take both from one release",
  );

function existing(dir: string, names: readonly string[]): string {
  const found = names.find((name) => existsSync(join(dir, name)));
  if (found !== undefined) return join(dir, found);
  throw new GestaltError(
    "bad-dataset",
    `${join(dir, names[0] ?? "")} is missing`,
    "a data set is corpus.jsonl, queries.jsonl and qrels/<split>.tsv in one folder",
  );
}
