import { GestaltError } from "../errors.ts";
import type { Judgements, Qrels, Run, Scored } from "./judgements.ts";
import { badLine, type Line, readLines } from "./lines.ts";

/** What stands above the grades in BEIR's files. */
const HEADER = "score";

/**
 * Reads judgements: four columns as trec_eval has them (`query 0 document grade`, parted by spaces or tabs), or three
 * as BEIR has them (parted by tabs, so that ids may hold spaces), below BEIR's header `query-id corpus-id score` or
 * none.
 *
 * A grade below 0 becomes 0: trec_eval calls it unjudged, which no metric here tells from not relevant.
 *
 * @throws GestaltError("bad-dataset") with file and line for a line of another shape, a grade that is not a number, or
 *   a document judged twice for one query; also when there is no judgement at all
 */
export function readQrels(file: string): Qrels {
  const qrels = new Map<string, Map<string, number>>();
  let first = true;
  for (const line of readLines(file)) {
    const [query, id, grade] = judgement(file, line);
    const value = toNumber(grade);
    const header = first && grade === HEADER;
    first = false;
    if (header) continue;
    if (value === undefined) throw badLine(file, line.number, `the grade "${grade}" is not a number`);
    const judged = qrels.get(query) ?? new Map<string, number>();
    if (judged.has(id)) throw badLine(file, line.number, `document ${id} is judged twice for query ${query}`);
    qrels.set(query, judged.set(id, Math.max(0, value)));
  }
  if (qrels.size === 0) throw new GestaltError("bad-dataset", `${file} holds no judgement`, "check the file");
  return qrels;
}

function judgement(file: string, line: Line): readonly [query: string, id: string, grade: string] {
  const tabbed = line.text.split("\t").map((column) => column.trim());
  const beir = tabbed.length === 3 && (tabbed[2] === HEADER || toNumber(tabbed[2] ?? "") !== undefined);
  const columns = beir ? tabbed : line.text.trim().split(/\s+/);
  const [query, second, third, fourth] = columns;
  if (!query || !second || !third || columns.length > 4)
    throw badLine(file, line.number, "not a judgement: it takes 3 columns parted by tabs, or 4 parted by spaces");
  return fourth === undefined ? [query, second, third] : [query, third, fourth];
}

/**
 * Reads a run file, `query Q0 document rank score tag`, and orders it as trec_eval does: by score, highest first,
 * then by document id, **highest first** (compared as bytes). The rank column is ignored, as trec_eval ignores it, and
 * scores are told apart only as far as 32-bit floats are, which is what trec_eval holds them in. More columns are
 * ignored.
 *
 * @throws GestaltError("bad-dataset") with file and line for a line of fewer columns, a score that is not a number, or
 *   a document found twice for one query; also when there is no line at all
 */
export function readRun(file: string): Run {
  const run = new Map<string, Map<string, number>>();
  for (const { number, text } of readLines(file)) {
    const [query, , id, , score, tag] = text.trim().split(/\s+/);
    if (query === undefined || id === undefined || score === undefined || tag === undefined)
      throw badLine(file, number, "not a line of a run: it takes 6 columns, query Q0 document rank score tag");
    const value = toNumber(score);
    if (value === undefined) throw badLine(file, number, `the score "${score}" is not a number`);
    const found = run.get(query) ?? new Map<string, number>();
    if (found.has(id)) throw badLine(file, number, `document ${id} is found twice for query ${query}`);
    run.set(query, found.set(id, value));
  }
  if (run.size === 0) throw new GestaltError("bad-dataset", `${file} holds no answer`, "check the file");
  return new Map([...run].map(([query, found]) => [query, trecOrder(found)]));
}

function trecOrder(found: ReadonlyMap<string, number>): readonly Scored[] {
  return [...found]
    .map(([id, score]) => ({ id, score, single: Math.fround(score) }))
    .sort((a, b) => compare(b.single, a.single) || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)))
    .map(({ id, score }) => ({ id, score }));
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * A run as the text of a run file. Reading it back, here or with trec_eval, gives the same order: where a score is
 * not below the one before it, as 32-bit floats go, the next lower such float is written instead.
 *
 * @throws GestaltError("bad-dataset") for an id that holds white space or is empty, or a score that is not a finite
 *   32-bit float
 */
export function formatRun(run: Run, tag: string): string {
  const lines: string[] = [];
  for (const [query, found] of run) {
    let above = Number.POSITIVE_INFINITY;
    for (const [i, { id, score }] of found.entries()) {
      const written = Math.fround(score) < above ? score : nextBelow(above);
      above = Math.fround(written);
      if (!Number.isFinite(above))
        throw new GestaltError(
          "bad-dataset",
          `the score ${score} of document ${id} cannot be written`,
          "use finite scores",
        );
      lines.push(`${word(query)} Q0 ${word(id)} ${i + 1} ${written} ${word(tag)}\n`);
    }
  }
  return lines.join("");
}

/** A 32-bit float below `x`, and not far. */
const nextBelow = (x: number): number => Math.fround(x - Math.max(Math.abs(x) * 2 ** -23, 2 ** -126));

/** Judgements in trec_eval's four columns. @throws GestaltError as `formatRun` */
export const formatQrels = (qrels: Qrels): string =>
  [...qrels].flatMap(([query, judged]) => judgementLines(query, judged)).join("");

const judgementLines = (query: string, judged: Judgements): string[] =>
  [...judged].map(([id, grade]) => `${word(query)} 0 ${word(id)} ${grade}\n`);

function word(text: string): string {
  if (/^\S+$/u.test(text)) return text;
  throw new GestaltError("bad-dataset", `"${text}" has white space and cannot stand in a TREC file`, "rename that id");
}

/** Number() reads "" as 0 and "0x10" as 16; a data file means neither. */
function toNumber(text: string): number | undefined {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
