import type { Database } from "bun:sqlite";
import { changesOf } from "./meta.ts";
import { isExtra, type Term } from "./query.ts";

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

/** A passage that has a term, and what FTS5 gives it for that; in the order of ids. */
export type Posting = readonly [id: number, score: number];

export type Postings = (db: Database, term: Term, weights: Weights) => readonly Posting[];

export const askPostings: Postings = (db, term, weights) =>
  db
    .query<never, [number, number, number, number, string]>(
      `SELECT rowid, -bm25(passage_text, ?, ?, ?, ?) FROM passage_text WHERE passage_text MATCH ?`,
    )
    .values(weights.title, weights.headings, weights.text, isExtra(term) ? 1 : weights.extra, term.match) as [
    number,
    number,
  ][];

/** Postings that are kept, of all terms together: some 10 MB. */
const most = 200_000;

/**
 * Postings for a process that lives on. A question's common words are what it spends its time on, and they come again in the
 * next one; they are kept until the index changes, those that were asked for last.
 */
export function openPostings(): Postings {
  const kept = new Map<string, readonly Posting[]>();
  let size = 0;
  let state = "";
  return (db, term, weights) => {
    const now = changesOf(db);
    if (now !== state) {
      kept.clear();
      [size, state] = [0, now];
    }
    const key = JSON.stringify([term.match, isExtra(term), weights]);
    const rows = kept.get(key) ?? askPostings(db, term, weights);
    if (kept.delete(key)) size -= rows.length;
    kept.set(key, rows);
    size += rows.length;
    for (const [oldest, old] of kept) {
      if (size <= most) break;
      kept.delete(oldest);
      size -= old.length;
    }
    return rows;
  };
}
