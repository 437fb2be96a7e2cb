import type { Database } from "bun:sqlite";
import { allAnchors, allTags, briefCounts, countSections, type ListedNote } from "../store/links.ts";
import { fold } from "../store/words.ts";
import type { Freshness } from "../types.ts";
import { type Desk, hasNotes } from "./desk.ts";
import { type LinkMap, linkMap } from "./graph-links.ts";
import { freshnessOf, type RunOptions, refresh } from "./refresh.ts";

export type ManifestOptions = RunOptions & {
  /** A note's name, or words that all must stand in an entry; "" for none. */
  readonly query: string;
  readonly limit: number;
  /** Leave out notes that are `sensitivity: restricted`. */
  readonly withhold: boolean;
};

/** What a list says of a note. `links` are the short names of the notes it links to; `blocks` come without their caret. */
export type ManifestEntry = {
  readonly slug: string;
  readonly vault: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly title: string;
  readonly tags: readonly string[];
  readonly modified: string | undefined;
  readonly sections: number;
  readonly superseded_by: string | undefined;
  readonly links: readonly string[];
  readonly blocks: readonly string[];
};

/** How often something stands in the notes, most often first. */
export type Counts = readonly { readonly name: string; readonly notes: number }[];

export type Manifest = {
  readonly notes: number;
  readonly withheld: number;
  readonly types: Counts;
  readonly folders: Counts;
  readonly tags: Counts;
  /** How many notes the query fits; `entries` are the first of them. */
  readonly matched: number;
  readonly entries: readonly ManifestEntry[];
  readonly index: Freshness;
};

/** Tags and folders named in a summary. */
const shown = 20;

/** What notes there are: counts, and the entries that fit the query, in the order of vaults and paths. */
export async function manifest(desk: Desk, { query, limit, withhold, ...run }: ManifestOptions): Promise<Manifest> {
  const { db, waiting } = await refresh(desk, run);
  const map = linkMap(db);
  const visible = map.notes.filter(({ sensitivity }) => !withhold || sensitivity !== "restricted");
  const entries = entriesOf(db, map, visible);
  const found = matching(entries, query);
  return {
    notes: visible.length,
    withheld: map.notes.length - visible.length,
    types: counted(entries.flatMap(({ type }) => type ?? [])),
    folders: counted(entries.map(({ path }) => (path.includes("/") ? `${path.slice(0, path.indexOf("/"))}/` : "./"))),
    tags: counted(entries.flatMap(({ tags }) => tags)),
    matched: found.length,
    entries: found.slice(0, limit),
    index: freshnessOf(desk, db, waiting),
  };
}

function entriesOf(db: Database, map: LinkMap, visible: readonly ListedNote[]): ManifestEntry[] {
  const shownIds = new Set(visible.map(({ id }) => id));
  const outgoing = Map.groupBy(map.links, ({ from }) => from.id);
  const tags = Map.groupBy(allTags(db), ({ note }) => note);
  const anchors = Map.groupBy(allAnchors(db), ({ note }) => note);
  const sections = new Map(countSections(db).map((row) => [row.note, row.sections]));
  return visible.map((note) => {
    const linked = (outgoing.get(note.id) ?? []).flatMap(({ to }) =>
      to !== undefined && to.id !== note.id && shownIds.has(to.id) ? map.slug(to) : [],
    );
    return {
      slug: map.slug(note),
      vault: note.vault,
      path: note.path,
      type: typeOf(note),
      title: note.title,
      tags: (tags.get(note.id) ?? []).map(({ tag }) => tag),
      modified: note.modified ?? undefined,
      sections: sections.get(note.id) ?? 0,
      superseded_by: note.supersededBy ?? undefined,
      links: [...new Set(linked)],
      blocks: (anchors.get(note.id) ?? []).flatMap(({ anchors }) => anchors.split(" ")),
    };
  });
}

function typeOf({ fields }: ListedNote): string | undefined {
  const pairs: unknown = JSON.parse(fields);
  const found = Array.isArray(pairs)
    ? pairs.find((pair: unknown) => Array.isArray(pair) && String(pair[0]).toLowerCase() === "type")
    : undefined;
  return found === undefined ? undefined : String(found[1]);
}

/** A name fits its own note alone; words fit every entry in which all of them stand. */
function matching(entries: readonly ManifestEntry[], query: string): readonly ManifestEntry[] {
  const asked = fold(query.trim());
  if (asked === "") return entries;
  const named = entries.filter(({ slug, path, title }) => [slug, path, title].some((name) => fold(name) === asked));
  if (named.length > 0) return named;
  const words = asked.split(/\s+/);
  return entries.filter(({ slug, path, type, title, tags, blocks }) => {
    const text = fold([slug, path, type ?? "", title, ...tags, ...blocks].join("\n"));
    return words.every((word) => text.includes(word));
  });
}

/** A first idea of the notes: no file is looked at, and undefined is said while there is no index. */
export function brief(desk: Desk): { readonly notes: number; readonly tags: readonly string[] } | undefined {
  const db = desk.database({ create: false });
  return db === undefined || !hasNotes(db) ? undefined : briefCounts(db, 8);
}

const counted = (names: readonly string[]): Counts =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => ({ name, notes: length }))
    .sort((a, b) => b.notes - a.notes || (a.name < b.name ? -1 : 1))
    .slice(0, shown);
