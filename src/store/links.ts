import type { Database } from "bun:sqlite";
import type { Link, Sensitivity } from "../types.ts";

/** A note that may be shown in a list. `fields` is its other front matter, as JSON. */
export type ListedNote = {
  readonly id: number;
  readonly vault: string;
  readonly root: string;
  readonly path: string;
  readonly stem: string;
  readonly title: string;
  readonly modified: string | null;
  readonly sensitivity: Sensitivity;
  readonly supersededBy: string | null;
  readonly fields: string;
};

/** Every note but those kept out of answers, by vault and path. */
export const listedNotes = (db: Database): ListedNote[] =>
  db
    .query<ListedNote, []>(
      `SELECT note.id, vault.name AS vault, vault.root, note.path, note.stem, note.title, note.modified, note.sensitivity,
              note.superseded_by AS supersededBy, note.fields
         FROM note JOIN vault ON vault.id = note.vault WHERE note.excluded = 0 ORDER BY vault.name, note.path`,
    )
    .all();

/** Title and aliases of every note, folded, titles first. */
export const foldedNames = (db: Database): { readonly folded: string; readonly note: number }[] =>
  db.query<{ folded: string; note: number }, []>("SELECT folded, note FROM name ORDER BY alias, note").all();

/** A link and the note that it stands in. */
export type LinkRow = Link & { readonly note: number };

/** Every link, in the order of the notes and their lines. */
export const allLinks = (db: Database): LinkRow[] =>
  db.query<LinkRow, []>("SELECT note, kind, target, anchor, text, line FROM link ORDER BY note, line, rowid").all();

/** Pairs of a note and a tag of it. */
export const allTags = (db: Database): { readonly note: number; readonly tag: string }[] =>
  db.query<{ note: number; tag: string }, []>("SELECT note, tag FROM tag ORDER BY note, rowid").all();

/** How many sections each note has. */
export const countSections = (db: Database): { readonly note: number; readonly sections: number }[] =>
  db
    .query<{ note: number; sections: number }, []>("SELECT note, count(*) AS sections FROM section GROUP BY note")
    .all();

/** The `^ids` that authors gave, without their caret, in the order of the notes. */
export const allAnchors = (db: Database): { readonly note: number; readonly anchors: string }[] =>
  db
    .query<{ note: number; anchors: string }, []>(
      `SELECT section.note, passage.anchors FROM passage JOIN section ON section.id = passage.section
        WHERE passage.anchors <> '' ORDER BY section.note, passage.id`,
    )
    .all();

/** Sections whose own heading is this one, whatever its letter case. ASCII only. */
export const sectionsHeaded = (
  db: Database,
  heading: string,
): { readonly note: number; readonly block: string; readonly start: number; readonly end: number }[] =>
  db
    .query<{ note: number; block: string; start: number; end: number }, [string]>(
      `SELECT note, block, first AS start, last AS "end" FROM section
        WHERE lower(json_extract(headings, '$[#-1]')) = lower(?) ORDER BY note, ordinal`,
    )
    .all(heading);

/** How many notes may be shown to anybody, and the tags that most of them have, most first. */
export function briefCounts(db: Database, tags: number): { readonly notes: number; readonly tags: readonly string[] } {
  const open = "FROM note WHERE excluded = 0 AND sensitivity <> 'restricted'";
  const counted = db.query<{ n: number }, []>(`SELECT count(*) AS n ${open}`).get();
  const rows = db
    .query<{ tag: string }, [number]>(
      `SELECT tag FROM tag WHERE note IN (SELECT id ${open}) GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?`,
    )
    .all(tags);
  return { notes: counted?.n ?? 0, tags: rows.map(({ tag }) => tag) };
}
