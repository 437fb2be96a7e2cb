import { parseNote } from "../../src/notes/parse.ts";
import type { Note } from "../../src/types.ts";

export const cutting = { ceiling: 2_000, overlap: 150 };

/** Parses text as the file `path` would hold it. */
export const parse = (text: string, path = "note.md"): Note => parseNote(path, new TextEncoder().encode(text), cutting);

/** The last heading of every section, `""` before the first. */
export const headingsOf = (note: Note): string[] => note.sections.map(({ headings }) => headings.at(-1) ?? "");
