import type { Database } from "bun:sqlite";
import type { Note, Passage, Section, Stat } from "../types.ts";
import { embeddedText, keyOf, noteText } from "./embedded.ts";
import { extraWords, fold, spellings } from "./words.ts";

/** A note as the index last saw it, enough to tell whether it changed. `hash` is the SHA-256 of its bytes, in hex. */
export type Known = { readonly id: number; readonly stat: Stat; readonly hash: string };

/** Whether a passage gets the extra words and its file's name (`search`), or nothing but its text (the reference's form). */
export type Wording = "ours" | "plain";

/**
 * A passage's id carries its note's, so that a ranking of passages tells their notes without a look-up. A note of the
 * largest size that is read holds fewer passages than this, and note ids stay below 2^31: both fit in a double.
 */
const passagesPerNote = 2 ** 22;
const firstPassage = (note: number): number => note * passagesPerNote;
/** The note that a passage belongs to. */
export const noteOfPassage = (passage: number): number => Math.floor(passage / passagesPerNote);

/** Every note of a vault, by path. */
export function knownNotes(db: Database, vault: number): Map<string, Known> {
  const rows = db
    .query<never, [number]>("SELECT path, id, mtime, size, ino, lower(hex(hash)) FROM note WHERE vault = ?")
    .values(vault) as [string, number, number, number, number, string][];
  return new Map(rows.map(([path, id, mtime, size, ino, hash]) => [path, { id, hash, stat: { mtime, size, ino } }]));
}

/** The same bytes under another stat: nothing else changed. */
export function touchNote(db: Database, id: number, stat: Stat): void {
  db.query("UPDATE note SET mtime = ?, size = ?, ino = ? WHERE id = ?").run(stat.mtime, stat.size, stat.ino, id);
}

/** Removes a note and everything that hangs from it. */
export function removeNote(db: Database, id: number): void {
  db.query("DELETE FROM note WHERE id = ?").run(id);
}

/**
 * Merges the words' segments. FTS5 makes one at each commit and looks a word up in all that there are: a rare word is found three
 * times as fast in one as in the five that 2,000 notes leave. Costs a tenth of what writing the words did.
 */
export function mergeWords(db: Database): void {
  db.run("INSERT INTO passage_text (passage_text) VALUES ('optimize')");
}

/** The last part of a path without its extension, folded: what two notes of one name share. */
export const stemOf = (path: string): string =>
  fold(path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:md|markdown)$/i, ""));

/** Headings from the outermost in, without a first one that only repeats the title. */
export const breadcrumb = (title: string, headings: readonly string[]): readonly string[] =>
  headings[0] !== undefined && fold(headings[0]) === fold(title) ? headings.slice(1) : headings;

/**
 * Adds one note and everything that hangs from it. Call it in a transaction, and `removeNote` before it when the path is
 * known: a DELETE that finds nothing still makes FTS5 write out all that it holds back, which doubles the time of a first run.
 */
export function putNote(db: Database, vault: number, stat: Stat, hash: string, note: Note, wording: Wording): void {
  const id = insertNote(db, vault, stat, hash, note);
  const addName = db.query("INSERT INTO name (note, folded, name, alias) VALUES (?, ?, ?, ?)");
  if (note.title !== "") addName.run(id, fold(note.title), note.title, 0);
  for (const alias of note.aliases) addName.run(id, fold(alias), alias, 1);
  for (const tag of note.tags) db.query("INSERT INTO tag (note, tag) VALUES (?, ?)").run(id, tag);
  for (const target of note.supersedes) db.query("INSERT INTO supersedes (note, target) VALUES (?, ?)").run(id, target);
  const addLink = db.query("INSERT INTO link (note, kind, target, anchor, text, line) VALUES (?, ?, ?, ?, ?, ?)");
  for (const link of note.links) addLink.run(id, link.kind, link.target, link.anchor, link.text, link.line);
  const addWarning = db.query("INSERT INTO warning (note, line, message) VALUES (?, ?, ?)");
  for (const { line, message } of note.warnings) addWarning.run(id, line, message);

  const names = [note.title, ...note.aliases].join(" \n");
  const ours = wording === "ours";
  const own = ours ? [...nameWords(note), ...extraWords(names)] : [];
  let next = firstPassage(id);
  for (const [ordinal, section] of note.sections.entries()) {
    const crumbs = breadcrumb(note.title, section.headings);
    const headings = crumbs.join(" \n");
    const extras = ours ? [...own, ...extraWords(headings)] : [];
    next = insertSection(db, id, ordinal, section, next, ({ text }) => ({
      key: keyOf(embeddedText(note.title, crumbs, text)),
      words: ours
        ? [spelt(names), spelt(headings), spelt(text), [...extras, ...extraWords(text)].join(" ")]
        : [names, headings, text, ""],
    }));
  }
}

/** A text, and the other spellings of its words behind it. */
function spelt(text: string): string {
  const others = spellings(text);
  return others.length === 0 ? text : `${text} \n${others.join(" ")}`;
}

function insertNote(db: Database, vault: number, stat: Stat, hash: string, note: Note): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO note (vault, path, stem, hash, mtime, size, ino, title, created, modified, sensitivity,
                         superseded_by, valid_until, excluded, fields, key)
       VALUES (?, ?, ?, unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      vault,
      note.path,
      stemOf(note.path),
      hash,
      stat.mtime,
      stat.size,
      stat.ino,
      note.title,
      note.created ?? null,
      note.modified ?? null,
      note.sensitivity,
      note.supersededBy ?? null,
      note.validUntil ?? null,
      note.excluded ? 1 : 0,
      JSON.stringify(note.fields),
      noteKey(note),
    );
  return Number(lastInsertRowid);
}

function insertSection(
  db: Database,
  note: number,
  ordinal: number,
  section: Section,
  firstId: number,
  columns: (passage: Passage) => { readonly key: Uint8Array; readonly words: [string, string, string, string] },
): number {
  const { lastInsertRowid } = db
    .query("INSERT INTO section (note, ordinal, level, headings, block, first, last) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(note, ordinal, section.level, JSON.stringify(section.headings), section.block, section.start, section.end);
  const add = db.query(
    "INSERT INTO passage (id, section, block, text, first, last, anchors, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const addWords = db.query("INSERT INTO passage_text (rowid, title, headings, text, extra) VALUES (?, ?, ?, ?, ?)");
  let id = firstId;
  for (const passage of section.passages) {
    const { key, words } = columns(passage);
    const { block, text, start, end, anchors } = passage;
    add.run(id, Number(lastInsertRowid), block, text, start, end, anchors.join(" "), key);
    addWords.run(id++, ...words);
  }
  return id;
}

/** What finds the vector of a note as a whole: that of its passage, when there is but one. */
function noteKey(note: Note): Uint8Array | null {
  const all = note.sections.flatMap(({ headings, passages }) => passages.map(({ text }) => ({ headings, text })));
  const [first] = all;
  if (first === undefined) return null;
  if (all.length === 1) return keyOf(embeddedText(note.title, breadcrumb(note.title, first.headings), first.text));
  const opening = all.find(({ text }) => text !== "")?.text ?? "";
  return keyOf(
    noteText(
      note.title,
      opening,
      note.sections.flatMap(({ headings }) => headings.at(-1) ?? []),
    ),
  );
}

/** The words of a file's name that its title does not say already. */
function nameWords(note: Note): string[] {
  const title = fold(note.title);
  const stem = note.path.slice(note.path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  return fold(stem) === title || fold(stem).replace(/[-_]/g, " ") === title ? [] : [stem, ...extraWords(stem)];
}
