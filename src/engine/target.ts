import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import {
  type AnchorRow,
  allNames,
  anchorsOf,
  type NoteRow,
  notesAt,
  notesNamed,
  notesWithStem,
  type SectionRow,
  sectionsOf,
} from "../store/addresses.ts";
import { fold } from "../store/words.ts";

/** What an address names: a note, and the lines meant (undefined: all of it). `end` may lie beyond the file. */
export type Target = {
  readonly note: NoteRow;
  readonly lines: { readonly start: number; readonly end: number } | undefined;
  readonly section: SectionRow | undefined;
};

/**
 * Finds what an address names: a path, slug, title or alias; with `#Heading`, `#^block`, `#block` for a section or
 * passage, with `:12-40` or `:12` for lines; with `vault:` before it where vaults are several.
 *
 * A name is tried whole first, so that `C#.md` and `10:30 meeting` are notes before they are addresses.
 *
 * @throws GestaltError "not-found" with near names, also when a name fits several notes
 */
export function resolveTarget(db: Database, address: string): Target {
  const wanted = address.trim().replace(/^\[\[(.*)\]\]$/u, "$1");
  const whole = findNote(db, wanted);
  if (whole !== undefined) return { note: whole, lines: undefined, section: undefined };

  for (const place of places(wanted, "#")) {
    const note = findNote(db, wanted.slice(0, place));
    if (note !== undefined) return insideNote(db, note, wanted.slice(place + 1));
  }
  const range = /^(.+):(\d+)(?:-(\d+))?$/u.exec(wanted);
  const ranged = range === null ? undefined : findNote(db, range[1] ?? "");
  if (range !== null && ranged !== undefined)
    return { note: ranged, lines: linesOf(range, address), section: undefined };
  throw unknown(db, wanted);
}

function findNote(db: Database, name: string): NoteRow | undefined {
  if (name === "") return undefined;
  const inVault = (rows: readonly NoteRow[], vault?: string) =>
    vault === undefined ? rows : rows.filter((row) => row.vault === vault);
  for (const [vault, path] of vaultPrefixes(name)) {
    const found = [
      () => notesAt(db, path),
      () => notesAt(db, `${path}.md`),
      () => notesWithStem(db, fold(path)),
      () => suffixed(db, path),
      () => notesNamed(db, fold(path)),
    ]
      .map((look) => inVault(look(), vault))
      .find((rows) => rows.length > 0);
    if (found === undefined) continue;
    if (found.length === 1) return found[0];
    throw new GestaltError(
      "not-found",
      `"${name}" names ${found.length} notes`,
      found
        .slice(0, 5)
        .map((row) => `gestalt read "${vault === undefined && several(found) ? `${row.vault}:` : ""}${row.path}"`)
        .join(", or "),
    );
  }
  return undefined;
}

const several = (rows: readonly NoteRow[]): boolean => new Set(rows.map(({ vault }) => vault)).size > 1;

/** A name as it stands, and then each reading of it as `vault:path`. */
function vaultPrefixes(name: string): (readonly [vault: string | undefined, path: string])[] {
  return [[undefined, name], ...places(name, ":").map((at) => [name.slice(0, at), name.slice(at + 1)] as const)];
}

/** The end of a path, from a `/` on, without or with its extension: `retry/queue` for `notes/retry/queue.md`. */
function suffixed(db: Database, path: string): NoteRow[] {
  const bare = path.replace(/\.(md|markdown)$/iu, "");
  const stem = bare.slice(bare.lastIndexOf("/") + 1);
  return notesWithStem(db, fold(stem)).filter((row) => {
    const known = row.path.replace(/\.[^.]+$/u, "");
    return fold(known) === fold(bare) || fold(known).endsWith(`/${fold(bare)}`);
  });
}

function insideNote(db: Database, note: NoteRow, anchor: string): Target {
  const sections = sectionsOf(db, note.id);
  const passages = anchorsOf(db, note.id);
  const found = byHeading(sections, anchor) ?? byBlock(sections, passages, anchor.replace(/^\^/u, ""));
  if (found !== undefined) return { note, ...found };
  const names = [
    ...sections.map(({ headings, block }) => headings.at(-1) ?? block),
    ...passages.flatMap(({ anchors }) => anchors.map((id) => `^${id}`)),
  ];
  throw new GestaltError(
    "not-found",
    `${note.path} has no section or block "${anchor}"`,
    closest(anchor, names, 3)
      .map((near) => `gestalt read "${note.path}#${near}"`)
      .join(", or ") || `gestalt read "${note.path}"`,
  );
}

/** A heading by its text, or by a path of headings (`Outer#Inner`). With its sub-sections, as its author sees it. */
function byHeading(sections: readonly SectionRow[], anchor: string): Omit<Target, "note"> | undefined {
  const path = anchor.split("#").map((part) => fold(part.trim()));
  const section = sections.find(({ headings }) => {
    const tail = headings.slice(-path.length).map(fold);
    return tail.length === path.length && tail.every((heading, i) => heading === path[i]);
  });
  return section && { section, lines: { start: section.start, end: endOfTree(sections, section) } };
}

/** The last line of a section with all that stands below it. */
function endOfTree(sections: readonly SectionRow[], section: SectionRow): number {
  const after = sections.slice(sections.indexOf(section) + 1);
  const next = after.findIndex(({ level }) => level <= section.level);
  return (next < 0 ? sections.at(-1) : sections[sections.indexOf(section) + next])?.end ?? section.end;
}

function byBlock(
  sections: readonly SectionRow[],
  passages: readonly AnchorRow[],
  block: string,
): Omit<Target, "note"> | undefined {
  const whole = sections.find((section) => section.block === block);
  if (whole !== undefined) return { section: whole, lines: { start: whole.start, end: whole.end } };
  const passage = passages.find((row) => row.block === block) ?? passages.find((row) => row.anchors.includes(block));
  if (passage === undefined) return undefined;
  return {
    section: sections.find(({ id }) => id === passage.section),
    lines: { start: passage.start, end: passage.end },
  };
}

function linesOf(range: RegExpExecArray, address: string): { start: number; end: number } {
  const start = Number(range[2]);
  const end = Number(range[3] ?? range[2]);
  if (start >= 1 && end >= start) return { start, end };
  throw new GestaltError("usage", `"${address}" asks for lines ${start} to ${end}`, "lines count from 1: NOTE:12-40");
}

function unknown(db: Database, name: string): GestaltError {
  const near = closest(name, allNames(db), 3);
  return new GestaltError(
    "not-found",
    `no note is called "${name}"`,
    near.map((found) => `gestalt read "${found}"`).join(", or ") || `gestalt search ${name}`,
  );
}

/** Names like the one typed: a few edits away, else those that contain it. */
function closest(typed: string, names: readonly string[], limit: number): readonly string[] {
  const near = nearest(typed, names, limit);
  const part = fold(typed);
  return near.length > 0 || part === "" ? near : names.filter((name) => fold(name).includes(part)).slice(0, limit);
}

/** Every place of a sign in a text, first to last. */
function places(text: string, sign: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found.push(at);
  return found;
}
