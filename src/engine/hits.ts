import type { Database } from "bun:sqlite";
import { slugOf, stem } from "../notes/slug.ts";
import { breadcrumb, noteOfPassage, stemOf } from "../store/notes.ts";
import { type PassageRow, passagesNamed, passagesOf, pathsByStem } from "../store/passages.ts";
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
 * The `limit` best sections, each at its best passage, best first. A note whose title, alias or file name is the question
 * itself comes before all others, at its best passage. Equal scores stand in the order of the notes, so that two indexes of
 * the same notes answer alike.
 */
export function sectionsFound(
  db: Database,
  text: string,
  ranking: Ranking,
  limit: number,
  within?: ReadonlySet<number>,
): Scored[] {
  const named = namedRows(db, text, ranking, within);
  const lifted = new Set(named.map(({ section }) => section));
  // Rows are wide and few are shown: more are read only when many passages are of one section.
  for (let take = 2 * limit; ; take *= 4) {
    const last = ranking[take - 1]?.score ?? Number.NEGATIVE_INFINITY;
    const head = ranking.filter(({ score }, i) => i < take || score === last);
    const seen = new Set(lifted);
    const others = scoredRows(db, head).filter(({ section }) => !seen.has(section) && seen.add(section));
    if (named.length + others.length >= limit || head.length === ranking.length)
      return [...named, ...others].slice(0, limit);
  }
}

function scoredRows(db: Database, ranking: Ranking): Scored[] {
  const scores = new Map(ranking.map(({ id, score }) => [id, score]));
  return passagesOf(
    db,
    ranking.map(({ id }) => id),
  )
    .map((row) => ({ ...row, score: scores.get(row.id) ?? 0 }))
    .sort((a, b) => b.score - a.score || compare(a.vault, b.vault) || compare(a.path, b.path) || a.start - b.start);
}

/** The notes that the question names, above the best score of all. */
function namedRows(db: Database, text: string, ranking: Ranking, within: ReadonlySet<number> | undefined): Scored[] {
  const name = text
    .trim()
    .replace(/^["“](.*)["”]$/u, "$1")
    .trim();
  const named = passagesNamed(db, fold(name), stemOf(name)).filter(({ note }) => within?.has(note) ?? true);
  const best = ranking[0]?.score ?? 0;
  return named
    .map((row) => {
      const found = ranking.find(({ id }) => noteOfPassage(id) === row.note);
      const [shown = row] = found === undefined ? [] : passagesOf(db, [found.id]);
      return { ...shown, score: best + 1 + Math.max(0, found?.score ?? 0) };
    })
    .sort((a, b) => b.score - a.score);
}

/** Rows as every surface shows them. */
export function hitsOf(desk: Desk, db: Database, rows: readonly Scored[], { query, weights }: Ranked): FoundHit[] {
  const texts = rows.map(({ text }) => flat(text));
  // What no passage has stands in none of these.
  const terms = query.terms.map((term, i) => (weights[i] === 0 ? undefined : term));
  const found = desk.marker().marks(texts, terms);
  const stemOfRow = ({ path }: Scored) => fold(stem(path));
  const sharing = pathsByStem(db, rows.map(stemOfRow));
  return rows.map((row, i) => {
    const { text, marks } = snippet(texts[i] ?? "", found[i] ?? [], weights);
    return {
      id: idOf(desk, row),
      vault: row.vault,
      path: row.path,
      slug: slugOf(row.path, sharing.get(stemOfRow(row)) ?? []),
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
