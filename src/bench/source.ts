import { statSync } from "node:fs";
import { GestaltError } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import type { Note, Passage, Section } from "../types.ts";
import { type Dataset, wholeText } from "./beir.ts";
import { type Document, toDocument } from "./corpus.ts";

/** How a document becomes a note. */
export type Form = { readonly name: string; readonly note: (document: Document, path: string) => Note };

/**
 * As the reference indexes it: title and text in one passage of any length, no title, and the word `d<ordinal>` as
 * the one heading. That word counts in BM25's document length, so its scores come out only with it.
 */
export const whole: Form = {
  name: "whole",
  note: (document, path) => bare(path, "", [wholeText(document)], [`d${document.ordinal}`]),
};

/** The title as the note's title, the text as one passage of any length. */
export const titled: Form = {
  name: "titled",
  note: ({ title, text }, path) => bare(path, title.trim(), [text.trim()]),
};

/**
 * As a user's note: Markdown, cut at headings and at the ceiling by `parse`. A document without a title has none, and
 * not its path as people's notes do, since that would put its id into the index.
 */
export const cut = (parse: NoteSource["parse"]): Form => ({
  name: "cut",
  note: (document, path) => ({ ...parse(path, markdown(document)), title: document.title.trim() }),
});

function markdown({ title, text }: Document): Uint8Array {
  const line = title.trim().replace(/\s+/g, " ");
  return new TextEncoder().encode(line === "" ? text : `# ${line}\n\n${text}`);
}

/**
 * The documents of a data set as notes, in the order of the corpus.
 *
 * The bytes of a note are its line in `corpus.jsonl`, so that the index notices a changed document as it notices a
 * changed note, and a corpus of any size is never in memory.
 *
 * @param group only documents of this group, for sets that are searched group by group
 */
export function beirSource({ name, dir, corpus }: Dataset, form: Form, group?: string): NoteSource {
  const ids = [...corpus.ids.keys()];
  const suffix = group === undefined ? "" : `#${group}`;
  return {
    name: `${name}${suffix}`,
    root: `${dir}${suffix}`,
    sweep() {
      const { mtimeMs: mtime } = statSync(corpus.file);
      const entries = ids
        .map((id, ordinal) => ({
          path: documentPath(ordinal, id),
          stat: { mtime, size: corpus.length(ordinal), ino: ordinal },
        }))
        .filter((_, ordinal) => group === undefined || corpus.groups[ordinal] === group);
      return { entries, skipped: [] };
    },
    read: (path) => corpus.line(ordinalOf(path)),
    parse(path, bytes) {
      try {
        return form.note(toDocument(bytes, corpus.file, ordinalOf(path)), path);
      } catch {
        const message = "its line in the corpus has changed since it was opened";
        return { ...bare(path, "", []), warnings: [{ path, line: 1, message }] };
      }
    },
  };
}

/**
 * The path of a document's note: its ordinal, so that path order is corpus order, and its id, which `documentId` takes
 * back. They are the folder's name: a file's own name is searched, and here it holds no word.
 *
 * @param ordinal below 1,000,000,000
 */
export const documentPath = (ordinal: number, id: string): string =>
  `${String(ordinal).padStart(9, "0")}-${encodeURIComponent(id)}/_.md`;

/** The document's id. */
export const documentId = (path: string): string => decodeURIComponent(parts(path).id);

/** The document's place in its corpus, from 0. @throws GestaltError("not-found") for any other path */
export const ordinalOf = (path: string): number => Number(parts(path).ordinal);

function parts(path: string): { readonly ordinal: string; readonly id: string } {
  const [, ordinal, id] = /^(\d{9})-([^/]+)\/_\.md$/.exec(path) ?? [];
  if (ordinal !== undefined && id !== undefined) return { ordinal, id };
  throw new GestaltError("not-found", `${path} is no document of a data set`, "gestalt bench --help");
}

/** A note of one section with these passages, and nothing else. */
export const bare = (
  path: string,
  title: string,
  texts: readonly string[],
  headings: readonly string[] = [],
): Note => ({
  path,
  title,
  aliases: [],
  tags: [],
  created: undefined,
  modified: undefined,
  sensitivity: "public",
  supersedes: [],
  supersededBy: undefined,
  validUntil: undefined,
  excluded: false,
  fields: [],
  sections: [section(texts, headings)],
  links: [],
  warnings: [],
});

/** Lines are counted in the passages themselves, one below the other. */
function section(texts: readonly string[], headings: readonly string[]): Section {
  let end = 0;
  const passages = texts.map((text, i): Passage => {
    const start = end + 1;
    end += text.split("\n").length;
    return { block: i === 0 ? "" : `p${i + 1}`, text, start, end, anchors: [] };
  });
  return { level: headings.length, headings, block: "", start: 1, end: Math.max(1, end), passages };
}
