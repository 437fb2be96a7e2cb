import type { NoteSource } from "../notes/source.ts";
import type { Note } from "../types.ts";
import type { Field } from "./golden.ts";

/** Keys of the front matter that say in a sentence what a note is about. */
export const summaryKeys: readonly string[] = ["summary", "description", "abstract"];

/** Notes without one of their fields: a question made from it would find itself. */
export const withhold = (source: NoteSource, field: Field): NoteSource => ({
  ...source,
  root: `${source.root}#without-${field}`,
  parse: (path, bytes) => without(source.parse(path, bytes), field),
});

function without(note: Note, field: Field): Note {
  switch (field) {
    case "alias":
      return { ...note, aliases: [] };
    case "heading":
      return { ...note, sections: note.sections.map((section) => ({ ...section, headings: [] })) };
    case "summary":
      return { ...note, fields: note.fields.filter(([key]) => !summaryKeys.includes(key)) };
    default:
      // A link stands in another note than its target, and that note is no answer.
      return note;
  }
}
