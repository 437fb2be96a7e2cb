import type { Database } from "bun:sqlite";
import { posix } from "node:path";
import { slugOf } from "../notes/slug.ts";
import { allLinks, foldedNames, type LinkRow, type ListedNote, listedNotes } from "../store/links.ts";
import { fold } from "../store/words.ts";

/** A link with the notes at its ends. `to` is undefined when it names no note. */
export type ResolvedLink = {
  readonly from: ListedNote;
  readonly to: ListedNote | undefined;
  readonly link: Omit<LinkRow, "note">;
};

/** Every note that may be shown, and every link between notes. */
export type LinkMap = {
  readonly notes: readonly ListedNote[];
  readonly links: readonly ResolvedLink[];
  slug(note: ListedNote): string;
};

/**
 * Finds the note that each link means: the path as written (from the note's own folder for a Markdown link), else the end of
 * a path, a file name, a title or an alias; in the link's own vault before others, and of several the shortest path. Links
 * inside one note and to files that are no notes are left out.
 */
export function linkMap(db: Database): LinkMap {
  const notes = listedNotes(db);
  const byId = new Map(notes.map((note) => [note.id, note]));
  const byStem = Map.groupBy(notes, ({ stem }) => stem);
  const byName = new Map<string, ListedNote[]>();
  for (const { folded, note } of foldedNames(db)) {
    const named = byId.get(note);
    if (named !== undefined) byName.set(folded, [...(byName.get(folded) ?? []), named]);
  }
  const links = allLinks(db).flatMap(({ note, ...link }): ResolvedLink[] => {
    const from = byId.get(note);
    if (from === undefined || link.target === "") return [];
    const to = target(link, from, byStem, byName);
    return to === undefined && isAsset(link.target) ? [] : [{ from, to, link }];
  });
  return {
    notes,
    links,
    slug: (note) =>
      slugOf(
        note.path,
        (byStem.get(note.stem) ?? []).map(({ path }) => path),
      ),
  };
}

function target(
  link: Omit<LinkRow, "note">,
  from: ListedNote,
  byStem: ReadonlyMap<string, readonly ListedNote[]>,
  byName: ReadonlyMap<string, readonly ListedNote[]>,
): ListedNote | undefined {
  const written = bare(link.target);
  const relative =
    link.kind === "markdown" && !written.startsWith("/")
      ? posix.normalize(posix.join(posix.dirname(from.path), written))
      : posix.normalize(written.replace(/^\/+/, ""));
  const end = fold(written.replace(/^(?:\.{0,2}\/)+/, ""));
  const sharing = byStem.get(end.slice(end.lastIndexOf("/") + 1)) ?? [];
  const pathOf = (note: ListedNote) => fold(bare(note.path));
  return (
    best(
      sharing.filter((note) => pathOf(note) === fold(relative)),
      from,
    ) ??
    best(
      sharing.filter((note) => `/${pathOf(note)}`.endsWith(`/${end}`)),
      from,
    ) ??
    best(byName.get(fold(link.target)) ?? [], from)
  );
}

const bare = (path: string): string => path.replace(/\.(?:md|markdown)$/i, "");

/** Of the link's own vault first, then the shortest path, then the first in path order. */
const best = (notes: readonly ListedNote[], from: ListedNote): ListedNote | undefined =>
  notes.toSorted(
    (a, b) =>
      Number(b.vault === from.vault) - Number(a.vault === from.vault) ||
      a.path.length - b.path.length ||
      (a.path < b.path ? -1 : 1),
  )[0];

/** A picture, a PDF: a file with an extension that no note has. */
const isAsset = (target: string): boolean => /\.(?!md$|markdown$)[a-z][a-z0-9]{1,4}$/i.test(target);
