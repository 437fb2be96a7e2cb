import type { Database } from "bun:sqlite";
import { slugOf, stem } from "../notes/slug.ts";
import { lexical, type Weights } from "../store/lexical.ts";
import { marks } from "../store/marks.ts";
import { breadcrumb } from "../store/notes.ts";
import { type PassageRow, passagesNamed, passagesOf, pathsWithStem } from "../store/passages.ts";
import { parseQuery, type Query } from "../store/query.ts";
import { fold } from "../store/words.ts";
import type { Freshness, Hit, Ranking } from "../types.ts";
import type { Desk } from "./desk.ts";
import { type RunOptions, refresh } from "./refresh.ts";
import { flat, snippet } from "./snippet.ts";

export type Mode = "auto" | "lexical";

export type SearchOptions = RunOptions & { readonly limit: number; readonly mode: Mode };

/** A hit with what only some surfaces show. */
export type FoundHit = Hit & {
  /** Places in `snippet` where the question's words stand. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
  readonly text: string;
};

export type Answer = {
  readonly query: string;
  /** What answered. */
  readonly mode: "lexical";
  readonly hits: readonly FoundHit[];
  readonly index: Freshness;
  /** What the reader should know of this answer, in words. */
  readonly remarks: readonly string[];
};

/** Passages looked at before those of one section are made one hit. */
const depth = 200;

/** Chosen on SciFact train, NFCorpus dev and anthropic-docs; see knowledge/decisions. */
export const weights: Weights = { title: 2, headings: 2, text: 1, extra: 1 };

/** The sections that answer a question best, after the changes on disk are taken in. */
export async function search(desk: Desk, text: string, options: SearchOptions): Promise<Answer> {
  const { db, index } = await refresh(desk, options);
  const query = parseQuery(text, { stopWords: desk.settings.stopwords });
  const { ranking, idf, relaxed } = lexical(db, query, weights, depth);
  const rows = perSection(namedFirst(db, text, ranked(db, ranking)));
  const remarks = relaxed ? ["No section has the quoted phrase; these have its words."] : [];
  if (!index.fresh)
    remarks.push(
      `The index is behind by ${index.pending.notes} notes; another run is taking them in, or: gestalt index`,
    );
  return {
    query: text,
    mode: "lexical",
    hits: hitsOf(desk, db, rows.slice(0, options.limit), query, idf),
    index,
    remarks,
  };
}

type Scored = PassageRow & { readonly score: number };

/** Rows best first; equal scores in the order of the notes, so that two indexes of the same notes answer alike. */
function ranked(db: Database, ranking: Ranking): Scored[] {
  const scores = new Map(ranking.map(({ id, score }) => [id, score]));
  return passagesOf(
    db,
    ranking.map(({ id }) => id),
  )
    .map((row) => ({ ...row, score: scores.get(row.id) ?? 0 }))
    .sort((a, b) => b.score - a.score || compare(a.vault, b.vault) || compare(a.path, b.path) || a.start - b.start);
}

/** Notes whose title or alias is the question itself come first, at their best passage. */
function namedFirst(db: Database, text: string, rows: readonly Scored[]): Scored[] {
  const named = passagesNamed(
    db,
    fold(
      text
        .trim()
        .replace(/^["“](.*)["”]$/u, "$1")
        .trim(),
    ),
  );
  if (named.length === 0) return [...rows];
  const best = rows[0]?.score ?? 0;
  const lifted = named.map((row) => {
    const found = rows.find(({ note }) => note === row.note);
    return { ...(found ?? row), score: best + (found?.score ?? 0) + 1 };
  });
  const ids = new Set(lifted.map(({ id }) => id));
  return [...lifted.sort((a, b) => b.score - a.score), ...rows.filter(({ id }) => !ids.has(id))];
}

/** The best passage of each section. */
function perSection(rows: readonly Scored[]): Scored[] {
  const seen = new Set<number>();
  return rows.filter(({ section }) => !seen.has(section) && seen.add(section));
}

function hitsOf(desk: Desk, db: Database, rows: readonly Scored[], query: Query, idf: readonly number[]): FoundHit[] {
  const texts = rows.map(({ text }) => flat(text));
  const found = marks(db, texts, query.terms);
  return rows.map((row, i) => {
    const { text, marks } = snippet(texts[i] ?? "", found[i] ?? [], idf);
    return {
      id: idOf(desk, row),
      vault: row.vault,
      path: row.path,
      slug: slugOf(row.path, pathsWithStem(db, fold(stem(row.path)))),
      title: row.title,
      headings: breadcrumb(row.title, row.headings),
      block: row.block,
      start: row.start,
      end: row.end,
      score: Number(row.score.toPrecision(6)),
      snippet: text,
      marks,
      text: row.text,
    };
  });
}

/** An address that survives re-indexing and that `read` takes: `path#block`, with the vault's name where there are several. */
export const idOf = (
  desk: Desk,
  row: { readonly vault: string; readonly path: string; readonly block: string },
): string => `${desk.sources.length > 1 ? `${row.vault}:` : ""}${row.path}#${row.block}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
