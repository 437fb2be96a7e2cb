import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { NoteSource } from "../notes/source.ts";
import { passesGate, type Signals } from "../rank/gate.ts";
import { lexical } from "../store/lexical.ts";
import { breadcrumb } from "../store/notes.ts";
import { type PassageRow, passagesOf } from "../store/passages.ts";
import { parseQuery } from "../store/query.ts";
import { stateOfNote, statOfNote } from "../store/recall.ts";
import { type Desk, hasNotes, usable } from "./desk.ts";
import { sectionsFound } from "./hits.ts";
import { isNullDue, storedNull } from "./null.ts";
import { type Ranked, tuning } from "./pipeline.ts";
import { type Found, ranking } from "./ranking.ts";
import { refresh } from "./refresh.ts";
import { coverageBy, wordSignalOf } from "./signals.ts";
import { plainly, visible } from "./visible.ts";

/** A section as it may be put before an agent: what its author hid in comments is not in `text`. */
export type RecalledSection = {
  /** The address that `read` takes. */
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The day the note was last changed, `YYYY-MM-DD`, as far as is known. */
  readonly day: string | undefined;
  /** Stands for the note's content: 16 hexadecimal digits. */
  readonly hash: string;
  readonly text: string;
  /** How well it fits beside the best one, in [0, 1]. */
  readonly fit: number;
};

export type RecallOptions = {
  readonly limit: number;
  /** Answers by meaning too, where there is a model: it is loaded. Else by words and stored vectors. */
  readonly meaning: boolean;
  /** Looks for the rarest words of the prompt alone, so many. */
  readonly rarest?: number | undefined;
  /** As `passesGate` takes it. */
  readonly strictness: number;
  /** Takes in the changes on disk first. Without it only the notes that are shown are made sure of. */
  readonly sweep: boolean;
};

/** What the notes have to say to a prompt nobody searched with. None of it is restricted. */
export type Recalled = {
  /** Whether the notes answer the prompt better than they answer everyday prompts. */
  readonly served: boolean;
  /** Why, in a few words for a log. */
  readonly why: string;
  readonly signals: Signals;
  readonly sections: readonly RecalledSection[];
};

/** Milliseconds to wait for a lock: a hook has no more. */
const patience = 100;

/** The index for one who may not be kept waiting: nothing is built, and undefined when there is nothing to ask. */
export function openPatiently(desk: Desk): Database | undefined {
  const db = desk.database({ create: false, patience });
  return db !== undefined && hasNotes(db) ? db : undefined;
}

/**
 * Takes in the changes on disk, as far as the `sweep-ms` setting lets it; builds nothing.
 *
 * @returns false when there is no index, or everyday prompts must be measured before `recall` can tell what to serve
 */
export async function catchUp(desk: Desk): Promise<boolean> {
  const db = openPatiently(desk);
  if (db === undefined) return false;
  if (usable(desk, db)) await refresh(desk);
  return !isNullDue(db, undefined);
}

/** Looks for what a prompt should be answered with. Undefined when there is no index: none is built here. */
export async function recall(desk: Desk, prompt: string, options: RecallOptions): Promise<Recalled | undefined> {
  if (options.sweep) await catchUp(desk);
  const db = openPatiently(desk);
  if (db === undefined) return undefined;
  const text = options.rarest === undefined ? prompt : rarestWords(desk, db, prompt, options.rarest);
  const asked = { limit: options.limit, mode: options.meaning ? "auto" : "consensus" } as const;
  // Nobody has the time to read again what was found.
  const quick = { ...desk, settings: { ...desk.settings, rerank: "off" as const } };
  const refreshed = { db, waiting: 0, first: false };
  const found = await ranking(quick, refreshed, text, asked, (found) => recalled(desk, text, options, found));
  return found === "stale" ? await recall(desk, prompt, { ...options, sweep: true }) : found;
}

/** What of a ranking is to be shown, if any; "stale" when notes that would be are not as they were read. */
async function recalled(
  desk: Desk,
  text: string,
  options: RecallOptions,
  { ranked, mode, db }: Found,
): Promise<Recalled | "stale" | undefined> {
  if (ranked.words === undefined) return undefined;
  const words = wordSignalOf(db, ranked.query, ranked.words);
  const model = ranked.nearest === undefined ? undefined : (await desk.meaning()).model;
  const nothing = storedNull(db, model);
  const signals = { words, meaning: ranked.nearest };
  const served = passesGate(signals, nothing, options.strictness);
  const by = ranked.nearest === undefined ? mode : `${mode}, cosine ${ranked.nearest.toFixed(2)}`;
  const why = nothing.everyday.length === 0 ? "everyday prompts not measured yet" : `${by}, words ${words.toFixed(2)}`;
  if (!served) return { served, why, signals, sections: [] };
  const rows = sectionsFound(db, text, ranked.ranking, 2 * options.limit)
    .filter(({ sensitivity }) => sensitivity !== "restricted")
    .slice(0, options.limit);
  if (!options.sweep && !rows.every((row) => isCurrent(desk, db, row))) return "stale";
  const fits = fitsOf(db, ranked, rows);
  return { served, why, signals, sections: rows.map((row, i) => recalledSection(desk, db, row, fits[i] ?? 0)) };
}

/** The `most` words of a text that are rarest in the notes, and stand there, in the order of the text. */
function rarestWords(desk: Desk, db: Database, text: string, most: number): string {
  const { terms } = parseQuery(text, { stopWords: true });
  const { idf } = lexical(db, { terms, required: [] }, tuning.weights, 1, desk.postings);
  const words = terms.flatMap(({ kind, literals }, i) =>
    kind === "word" && idf[i] ? [{ i, word: literals[0] ?? "", idf: idf[i] }] : [],
  );
  const kept = words.toSorted((a, b) => b.idf - a.idf).slice(0, most);
  return (
    kept
      .sort((a, b) => a.i - b.i)
      .map(({ word }) => word)
      .join(" ") || text
  );
}

/** Whether a note is on disk as it was when it was read. */
function isCurrent(desk: Desk, db: Database, { note, vault, path }: PassageRow): boolean {
  const source = desk.sources.find(({ name }) => name === vault);
  const known = statOfNote(db, note);
  const found = source && statSync(join(source.root, path), { throwIfNoEntry: false });
  return found?.mtimeMs === known?.mtime && found?.size === known?.size && found?.ino === known?.ino;
}

/** Each row's own coverage of the question times its score by words, beside the best row's. */
function fitsOf(db: Database, { query, words }: Ranked, rows: readonly PassageRow[]): readonly number[] {
  if (words === undefined) return [];
  const scores = new Map(words.ranking.map(({ id, score }) => [id, score]));
  const coverage = coverageBy(
    db,
    query,
    words.idf,
    rows.map(({ id }) => id),
  );
  const fits = rows.map(({ id }) => Math.sqrt((coverage.get(id) ?? 0) * (scores.get(id) ?? 0)));
  const best = Math.max(...fits);
  return fits.map((fit) => (best > 0 ? fit / best : 1));
}

/** Passages by their ids, as they may be put before an agent. */
export const recalledPassages = (desk: Desk, db: Database, ids: readonly number[]): readonly RecalledSection[] =>
  passagesOf(db, ids)
    .filter(({ sensitivity }) => sensitivity !== "restricted")
    .map((row) => recalledSection(desk, db, row, 1));

function recalledSection(desk: Desk, db: Database, row: PassageRow, fit: number): RecalledSection {
  const { vault, path, title, block, start, end, text, note } = row;
  const source = desk.sources.find(({ name }) => name === vault);
  return {
    id: `${desk.sources.length > 1 ? `${vault}:` : ""}${path}#${block}`,
    path,
    title,
    headings: breadcrumb(title, row.headings),
    start,
    end,
    ...stateOfNote(db, note),
    text: visible(text, source === undefined ? plainly : hidingAt(source, path, text, start)).shown,
    fit,
  };
}

/** Whether a passage begins inside a comment or a fence: told from the file, since only there is its beginning. */
function hidingAt(source: NoteSource, path: string, text: string, start: number) {
  let file: string;
  try {
    file = new TextDecoder().decode(source.read(path));
  } catch {
    return plainly;
  }
  let line = 0;
  for (let i = 1; i < start; i++) line = file.indexOf("\n", line) + 1 || file.length;
  const at = file.indexOf(text.slice(0, 80), line);
  return visible(file.slice(0, at < 0 ? line : at)).end;
}
