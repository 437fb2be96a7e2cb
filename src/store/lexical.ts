import type { Database } from "bun:sqlite";
import type { Ranking } from "../types.ts";
import { openBest } from "./best.ts";
import { noteOfPassage } from "./notes.ts";
import { askPostings, type Posting, type Postings, type Weights } from "./postings.ts";
import type { Query, Term } from "./query.ts";
import { type Scores, scoreOf, sumOf } from "./scores.ts";

/** A ranking of passage ids, and what was found on the way. */
export type LexicalAnswer = {
  readonly ranking: Ranking;
  /** The notes of the ranking's passages, with their score as a whole: each term counts where it counts most. Best first. */
  readonly notes: Ranking;
  /** Passages that hold one of the exact things asked for, best first. */
  readonly exact: Ranking;
  /** For each term of the query, in its order: how rare it is. In (0, ~13]; 0 when no passage has it. */
  readonly idf: readonly number[];
  /** True when a quoted phrase stands nowhere and passages with its words are given instead. */
  readonly relaxed: boolean;
};

/**
 * The `limit` best passages by BM25 (k1 1.2, b 0.75), best first; equal scores by id.
 *
 * Terms are asked one by one and summed, which equals FTS5's own score of the terms joined by OR, but for the inverse
 * document frequency: FTS5 takes ln((N − n + ½) / (n + ½)) and lets a term that half the passages have count nothing,
 * so that in a vault of three notes no word counts. Here it is ln(1 + (N − n + ½) / (n + ½)), as in Lucene.
 *
 * @see Robertson & Zaragoza 2009, doi:10.1561/1500000019; https://www.sqlite.org/fts5.html#the_bm25_function
 */
export function lexical(
  db: Database,
  query: Query,
  weights: Weights,
  limit: number,
  postings: Postings = askPostings,
): LexicalAnswer {
  const total = passageCount(db);
  const found = query.terms.map((term) => ({ term, posting: postings(db, term, weights) }));
  const scaled = found.map(({ term, posting }) => ({ ...posting, ...scaleOf(posting, term, total) }));
  const scores = sumOf(scaled.map(({ passages, scale }) => ({ of: passages, scale })));
  const notes = sumOf(scaled.map(({ notes, scale }) => ({ of: notes, scale })));
  const exact = new Set(found.flatMap(({ term, posting }) => (term.exact ? [...posting.passages.ids] : [])));
  const allowed = withPhrases(db, query.required);
  const relaxed = allowed !== undefined && allowed.size === 0;
  const holds = allowed === undefined || relaxed ? () => true : (id: number) => allowed.has(id);
  const ranking = best(scores, limit, holds);
  return {
    ranking,
    exact: chosen(scores, exact, holds),
    notes: chosen(notes, new Set(ranking.map(({ id }) => noteOfPassage(id))), () => true),
    idf: scaled.map(({ idf }) => idf),
    relaxed,
  };
}

/** How rare a term is, 0 when nothing has it; and what turns FTS5's score for it into ours. */
function scaleOf({ passages }: Posting, term: Term, total: number): { readonly idf: number; readonly scale: number } {
  const n = passages.ids.length;
  if (n === 0) return { idf: 0, scale: 0 };
  const odds = (total - n + 0.5) / (n + 0.5);
  const idf = Math.log(1 + odds);
  // FTS5 never goes below 1e-6.
  return { idf, scale: (term.weight * idf) / Math.max(Math.log(odds), 1e-6) };
}

/** The `limit` best. */
function best({ ids, values }: Scores, limit: number, holds: (id: number) => boolean): Ranking {
  const found = openBest(limit);
  for (let i = 0; i < ids.length; i++) if (holds(ids[i]!)) found.add(ids[i]!, values[i]!);
  return found.ranking();
}

/** Some ids, best first. */
function chosen(scores: Scores, ids: Iterable<number>, holds: (id: number) => boolean): Ranking {
  const found = openBest(Number.MAX_SAFE_INTEGER);
  for (const id of ids) if (holds(id)) found.add(id, scoreOf(scores, id) ?? 0);
  return found.ranking();
}

/** The passages that have every quoted phrase; undefined when none is asked for. */
function withPhrases(db: Database, required: readonly string[]): ReadonlySet<number> | undefined {
  if (required.length === 0) return undefined;
  const rows = db
    .query<never, [string]>("SELECT rowid FROM passage_text WHERE passage_text MATCH ?")
    .values(required.join(" AND ")) as [number][];
  return new Set(rows.map(([id]) => id));
}

/**
 * The reference's ranking: one FTS5 expression, every column alike, FTS5's own bm25() and its order.
 * Ids as FTS5 gives them for equal scores.
 */
export function lexicalAsReference(db: Database, match: string, limit: number): Ranking {
  return db
    .query<{ id: number; score: number }, [string, number]>(
      "SELECT rowid AS id, -rank AS score FROM passage_text WHERE passage_text MATCH ? ORDER BY rank LIMIT ?",
    )
    .all(match, limit);
}

/** How many passages there are. */
export const passageCount = (db: Database): number =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM passage").get()?.n ?? 0;
