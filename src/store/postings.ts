import type { Database } from "bun:sqlite";
import { keeping } from "./meta.ts";
import { noteOfPassage } from "./notes.ts";
import { isExtra, type Term } from "./query.ts";
import { emptyScores, type Scores } from "./scores.ts";

/**
 * How much a word counts in each column beside a word in the text. `extra` is for words that are asked of all columns: what
 * stands only there (symbols, pairs of characters) is asked of it alone, and counts fully.
 */
export type Weights = {
  readonly title: number;
  readonly headings: number;
  readonly text: number;
  readonly extra: number;
};

/** The passages that have a term, with what FTS5 gives each for that; and their notes, each with its best passage's. */
export type Posting = { readonly passages: Scores; readonly notes: Scores };

export type Postings = (db: Database, term: Term, weights: Weights) => Posting;

export const askPostings: Postings = (db, term, weights) =>
  postingOf(
    db
      .query<never, [number, number, number, number, string]>(
        `SELECT rowid, -bm25(passage_text, ?, ?, ?, ?) FROM passage_text WHERE passage_text MATCH ?`,
      )
      .values(weights.title, weights.headings, weights.text, isExtra(term) ? 1 : weights.extra, term.match) as [
      number,
      number,
    ][],
  );

/** Rows come by id, so a note's passages come together. */
function postingOf(rows: readonly (readonly [id: number, score: number])[]): Posting {
  const passages = emptyScores(rows.length);
  const notes = emptyScores(rows.length);
  let last = -1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const id = row[0];
    const score = row[1];
    passages.ids[i] = id;
    passages.values[i] = score;
    const note = noteOfPassage(id);
    if (last < 0 || notes.ids[last] !== note) notes.ids[++last] = note;
    notes.values[last] = Math.max(notes.values[last] ?? 0, score);
  }
  return { passages, notes: { ids: notes.ids.slice(0, last + 1), values: notes.values.slice(0, last + 1) } };
}

/** Scores that are kept, of passages and notes of all terms together, 16 bytes each. */
const most = 400_000;

/**
 * Postings for a process that lives on. A question's common words are what it spends its time on, and they come again in the
 * next one; they are kept until the index changes, those that were asked for last.
 */
export function openPostings(): Postings {
  const keptOf = keeping(() => ({ postings: new Map<string, Posting>(), size: 0 }));
  return (db, term, weights) => {
    const kept = keptOf(db);
    const key = JSON.stringify([term.match, isExtra(term), weights]);
    const posting = kept.postings.get(key) ?? askPostings(db, term, weights);
    if (kept.postings.delete(key)) kept.size -= sizeOf(posting);
    kept.postings.set(key, posting);
    kept.size += sizeOf(posting);
    for (const [oldest, old] of kept.postings) {
      if (kept.size <= most) break;
      kept.postings.delete(oldest);
      kept.size -= sizeOf(old);
    }
    return posting;
  };
}

const sizeOf = ({ passages, notes }: Posting): number => passages.ids.length + notes.ids.length;
