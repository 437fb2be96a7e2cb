import type { Database } from "bun:sqlite";
import { slugOf, stem } from "../notes/slug.ts";
import { marks } from "../store/marks.ts";
import { breadcrumb, stemOf } from "../store/notes.ts";
import { type PassageRow, passagesNamed, passagesOf, pathsWithStem } from "../store/passages.ts";
import { fold } from "../store/words.ts";
import type { Hit, Ranking, Sensitivity } from "../types.ts";
import type { Desk } from "./desk.ts";
import type { Ranked } from "./pipeline.ts";
import { flat, snippet } from "./snippet.ts";

/** A passage in an answer. */
export type Scored = PassageRow & { readonly score: number };

/** A hit with what only some surfaces show. */
export type FoundHit = Hit & {
  /** Places in `snippet` where the question's words stand. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
  readonly text: string;
  /** The `^ids` defined in the passage, without their caret. */
  readonly anchors: readonly string[];
  readonly sensitivity: Sensitivity;
};

/**
 * The best passage of each section, best first. A note whose title, alias or file name is the question itself comes before
 * all others, at its best passage.
 */
export function sectionsFound(db: Database, text: string, ranking: Ranking, within?: ReadonlySet<number>): Scored[] {
  const seen = new Set<number>();
  return namedFirst(db, text, scoredRows(db, ranking), within).filter(
    ({ section }) => !seen.has(section) && seen.add(section),
  );
}

/** Rows best first; equal scores in the order of the notes, so that two indexes of the same notes answer alike. */
function scoredRows(db: Database, ranking: Ranking): Scored[] {
  const scores = new Map(ranking.map(({ id, score }) => [id, score]));
  return passagesOf(
    db,
    ranking.map(({ id }) => id),
  )
    .map((row) => ({ ...row, score: scores.get(row.id) ?? 0 }))
    .sort((a, b) => b.score - a.score || compare(a.vault, b.vault) || compare(a.path, b.path) || a.start - b.start);
}

function namedFirst(
  db: Database,
  text: string,
  rows: readonly Scored[],
  within: ReadonlySet<number> | undefined,
): Scored[] {
  const name = text
    .trim()
    .replace(/^["“](.*)["”]$/u, "$1")
    .trim();
  const named = passagesNamed(db, fold(name), stemOf(name)).filter(({ note }) => within?.has(note) ?? true);
  if (named.length === 0) return [...rows];
  const best = rows[0]?.score ?? 0;
  const lifted = named.map((row) => {
    const found = rows.find(({ note }) => note === row.note);
    return { ...(found ?? row), score: best + 1 + Math.max(0, found?.score ?? 0) };
  });
  const ids = new Set(lifted.map(({ id }) => id));
  return [...lifted.sort((a, b) => b.score - a.score), ...rows.filter(({ id }) => !ids.has(id))];
}

/** Rows as every surface shows them. */
export function hitsOf(desk: Desk, db: Database, rows: readonly Scored[], { query, weights }: Ranked): FoundHit[] {
  const texts = rows.map(({ text }) => flat(text));
  const found = marks(db, texts, query.terms);
  return rows.map((row, i) => {
    const { text, marks } = snippet(texts[i] ?? "", found[i] ?? [], weights);
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
      anchors: row.anchors,
      sensitivity: row.sensitivity,
    };
  });
}

/** An address that survives re-indexing and that `read` takes: `path#block`, with the vault's name where there are several. */
const idOf = (desk: Desk, { vault, path, block }: PassageRow): string =>
  `${desk.sources.length > 1 ? `${vault}:` : ""}${path}#${block}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
