import { posix } from "node:path";
import { unseenPrompts } from "../engine/null.ts";
import { folder } from "../notes/folder.ts";
import { stem } from "../notes/slug.ts";
import type { NoteSource } from "../notes/source.ts";
import type { Link, Note, Section } from "../types.ts";
import type { Notes } from "./ask.ts";
import type { Case, Field } from "./golden.ts";
import { digest } from "./task.ts";
import { summaryKeys } from "./withhold.ts";

/** What a link leads to. `block` is undefined for the note as a whole. */
type Target = { readonly note: Note; readonly block: string | undefined };

/** Fewest words of a sentence that can stand for a question. */
const WORDS = 5;
/** Most questions of one kind, and most that the notes do not answer. */
const MOST = 200;
const NEGATIVES = 40;

/**
 * Questions from what notes say of themselves and of each other, without any language model: the words of a link and
 * the sentence around it ask for what is linked, a heading for its section, an alias or a summary for its note. Prompts
 * of everyday work with an agent are asked besides, to which no note is the answer: of those that the gate of hooks was
 * not fitted to.
 *
 * The same notes give the same questions, in the same order. Of more than 200 of a kind, those with the lowest hash of
 * their words are taken.
 */
export const makeCases = async ({ place, settings }: Notes): Promise<readonly Case[]> => [
  ...place.vaults.flatMap(({ name, root }) => casesOf(folder(name, root, settings))),
  ...fewest((await unseenPrompts()).map(negative), NEGATIVES),
];

function casesOf(source: NoteSource): readonly Case[] {
  const notes = source.sweep().entries.map(({ path }) => {
    const bytes = source.read(path);
    return { note: source.parse(path, bytes), lines: new TextDecoder().decode(bytes).split("\n") };
  });
  const shown = notes.filter(({ note }) => !note.excluded && note.sensitivity !== "restricted");
  const find = finder(shown.map(({ note }) => note));
  const made = shown.flatMap(({ note, lines }) => [...fromItself(note), ...fromLinks(note, lines, find)]);
  const distinct = [...new Map(made.map((one) => [one.id, one])).values()];
  // Words that stand for several things ask for none of them: a heading "Examples" in every note.
  const same = Map.groupBy(distinct, ({ made, query }) => `${made} ${query.toLowerCase()}`);
  const clear = [...same.values()].flatMap((held) => (held.length === 1 ? held : []));
  const kinds = [...Map.groupBy(clear, (one) => one.made).values()];
  return kinds.flatMap((kind) => fewest(kind, MOST));
}

const fewest = (cases: readonly Case[], most: number): readonly Case[] =>
  cases.length <= most ? cases : cases.toSorted((a, b) => (digest(a.query) < digest(b.query) ? -1 : 1)).slice(0, most);

const negative = (query: string): Case => ({
  id: `negative-${digest(query).slice(0, 8)}`,
  query,
  accept: [],
  block: undefined,
  bucket: "negative",
  made: undefined,
  from: undefined,
});

function* fromItself(note: Note): Generator<Case> {
  for (const alias of note.aliases) yield caseOf("alias", alias, { note, block: undefined }, textOf(note));
  for (const [key, value] of note.fields)
    if (summaryKeys.includes(key)) yield caseOf("summary", value, { note, block: undefined }, textOf(note));
  for (const section of note.sections) {
    const heading = section.headings.at(-1);
    // The first heading says what the title says, and a title is not withheld.
    if (heading === undefined || section.level < 2 || words(heading).length < 2) continue;
    yield caseOf("heading", heading, { note, block: section.block }, textOfSection(section));
  }
}

function* fromLinks(
  note: Note,
  lines: readonly string[],
  find: (from: Note, link: Link) => Target | undefined,
): Generator<Case> {
  for (const link of note.links) {
    const target = find(note, link);
    if (target === undefined || target.note.path === note.path) continue;
    const text = target.block === undefined ? textOf(target.note) : blockText(target.note, target.block);
    if (words(link.text).length > 1) yield caseOf("link", link.text, target, text, note.path);
    const sentence = sentenceAround(lines, link);
    if (words(sentence).length >= WORDS) yield caseOf("sentence", sentence, target, text, note.path);
  }
}

function caseOf(made: Field, query: string, { note, block }: Target, answer: string, from?: string): Case {
  const held = new Set(words(answer));
  return {
    id: `${made}-${digest([query, note.path, block]).slice(0, 8)}`,
    query: query.trim(),
    accept: [note.path],
    block: block || undefined,
    bucket: words(query).every((word) => held.has(word)) ? "exact" : "paraphrase",
    made,
    from,
  };
}

const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const textOfSection = ({ passages }: Section): string => passages.map(({ text }) => text).join("\n");
const textOf = (note: Note): string => [note.title, ...note.sections.map(textOfSection)].join("\n");
const blockText = ({ sections }: Note, block: string): string =>
  sections
    .filter((section) => section.block === block)
    .map(textOfSection)
    .join("\n");

/** Finds the note and section that a link names: by path, else by file name, title or alias. */
function finder(notes: readonly Note[]) {
  const byPath = new Map(notes.map((note) => [note.path.toLowerCase(), note]));
  const byName = new Map<string, Note>();
  for (const note of notes)
    for (const name of [stem(note.path), note.title, ...note.aliases])
      if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), note);
  return (from: Note, { kind, target, anchor }: Link): Target | undefined => {
    const path = posix
      .normalize(kind === "wiki" ? target : posix.join(posix.dirname(from.path), decoded(target)))
      .toLowerCase();
    const note = byPath.get(path) ?? byPath.get(`${path}.md`) ?? byName.get(stem(target).toLowerCase());
    return note && { note, block: blockOf(note, anchor) };
  };
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The block id of the section that an anchor names. */
function blockOf({ sections }: Note, anchor: string): string | undefined {
  const name = anchor.replace(/^\^/, "").toLowerCase();
  if (name === "") return undefined;
  const plain = name.replaceAll("-", " ");
  const found = sections.find(
    ({ block, headings, passages }) =>
      block === name ||
      headings.at(-1)?.toLowerCase().replaceAll("-", " ") === plain ||
      passages.some(({ anchors }) => anchors.includes(name)),
  );
  return found?.block;
}

/** The sentence in which a link stands, in plain words. The paragraph is that of the link's line. */
function sentenceAround(lines: readonly string[], { line, text }: Link): string {
  let [first, last] = [line - 1, line - 1];
  while (first > 0 && lines[first - 1]?.trim()) first -= 1;
  while (last + 1 < lines.length && lines[last + 1]?.trim()) last += 1;
  const paragraph = plain(lines.slice(first, last + 1).join(" "));
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(paragraph)];
  return sentences.find(({ segment }) => segment.includes(text))?.segment.trim() ?? "";
}

/** Links as their words, and no marks. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\[\[([^\]|]*\|)?([^\]]*)\]\]/g, "$2")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[\s>*+#-]+|[*`_|]/g, "");
