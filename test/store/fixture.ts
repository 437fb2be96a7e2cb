import type { Database } from "bun:sqlite";
import { bareNote } from "../../src/engine/made-vectors.ts";
import { migrate } from "../../src/store/migrations.ts";
import { putNote, type Wording } from "../../src/store/notes.ts";
import { openDatabase } from "../../src/store/open.ts";
import { putVault } from "../../src/store/vaults.ts";
import type { Note } from "../../src/types.ts";

/** A note of one section, with nothing else said. */
export function noteOf(path: string, text: string, more: Partial<Note> & { headings?: string[] } = {}): Note {
  const note = bareNote(path, [{ block: "overview", text, start: 1, end: 1, anchors: [] }]);
  return {
    ...note,
    sections: note.sections.map((section) => ({ ...section, headings: more.headings ?? [] })),
    ...more,
  };
}

/** An index in memory. */
export function indexOf(notes: readonly Note[], wording: Wording = "ours"): Database {
  const db = openDatabase(":memory:", { create: true })!;
  migrate(db);
  const vault = putVault(db, "test", "/test");
  for (const [i, note] of notes.entries())
    putNote(db, vault, { mtime: i, size: 1, ino: i }, i.toString(16).padStart(64, "0"), note, wording);
  return db;
}

/** An index of one-passage notes named by their own text. */
export const textsOf = (...texts: string[]): Database => indexOf(texts.map((text, i) => noteOf(`${i}.md`, text)));
