import type { Database } from "bun:sqlite";
import type { Sensitivity } from "../types.ts";

/** A note as an address finds it. */
export type NoteRow = {
  readonly id: number;
  readonly vault: string;
  readonly root: string;
  readonly path: string;
  readonly title: string;
  readonly sensitivity: Sensitivity;
};

/** A section of a note, in its order. `headings` runs from the outermost heading in. */
export type SectionRow = {
  readonly id: number;
  readonly ordinal: number;
  readonly level: number;
  readonly headings: readonly string[];
  readonly block: string;
  readonly start: number;
  readonly end: number;
};

/** A passage's own address inside a note. `anchors` come without their caret. */
export type AnchorRow = {
  readonly section: number;
  readonly block: string;
  readonly start: number;
  readonly end: number;
  readonly anchors: readonly string[];
};

const columns =
  "note.id, vault.name AS vault, vault.root, note.path, note.title, note.sensitivity FROM note JOIN vault ON vault.id = note.vault";

/** Notes at exactly this path. */
export const notesAt = (db: Database, path: string): NoteRow[] =>
  db.query<NoteRow, [string]>(`SELECT ${columns} WHERE note.path = ? ORDER BY vault.name`).all(path);

/** Notes whose file name, without extension and folded, is `stem`. */
export const notesWithStem = (db: Database, stem: string): NoteRow[] =>
  db.query<NoteRow, [string]>(`SELECT ${columns} WHERE note.stem = ? ORDER BY vault.name, note.path`).all(stem);

/** Notes whose title or alias is `folded`. */
export const notesNamed = (db: Database, folded: string): NoteRow[] =>
  db
    .query<NoteRow, [string]>(
      `SELECT DISTINCT ${columns} JOIN name ON name.note = note.id WHERE name.folded = ? ORDER BY vault.name, note.path`,
    )
    .all(folded);

/** Path, title and aliases of every note: what a mistyped target may have meant. */
export const allNames = (db: Database): string[] =>
  db
    .query<{ name: string }, []>("SELECT path AS name FROM note UNION SELECT name FROM name")
    .all()
    .map(({ name }) => name);

/** The sections of a note, in order. */
export const sectionsOf = (db: Database, note: number): SectionRow[] =>
  db
    .query<Omit<SectionRow, "headings"> & { headings: string }, [number]>(
      `SELECT id, ordinal, level, headings, block, first AS start, last AS "end" FROM section WHERE note = ? ORDER BY ordinal`,
    )
    .all(note)
    .map((row) => ({ ...row, headings: JSON.parse(row.headings) as string[] }));

/** The passages of a note, in order. */
export const anchorsOf = (db: Database, note: number): AnchorRow[] =>
  db
    .query<Omit<AnchorRow, "anchors"> & { anchors: string }, [number]>(
      `SELECT passage.section, passage.block, passage.first AS start, passage.last AS "end", passage.anchors
         FROM passage JOIN section ON section.id = passage.section WHERE section.note = ? ORDER BY passage.id`,
    )
    .all(note)
    .map((row) => ({ ...row, anchors: row.anchors.split(" ").filter(Boolean) }));
