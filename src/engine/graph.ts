import { type ListedNote, sectionsHeaded } from "../store/links.ts";
import type { Freshness } from "../types.ts";
import type { Desk } from "./desk.ts";
import { type LinkMap, linkMap, type ResolvedLink } from "./graph-links.ts";
import { freshnessOf, type RunOptions, refresh } from "./refresh.ts";
import { resolveTarget } from "./target.ts";

export type GraphOptions = RunOptions & {
  /** A note's address: its own links then, not those of all. */
  readonly note: string | undefined;
  readonly withhold: boolean;
};

/** A link as a list shows it: short names at both ends, `to` as written when it names no note. `line` is 1-based. */
export type Edge = { readonly from: string; readonly to: string; readonly line: number; readonly text: string };

export type Hub = {
  readonly slug: string;
  readonly path: string;
  readonly incoming: number;
  readonly outgoing: number;
};

/** A `Data Flow` section, word for word. `start` is its first line. */
export type Flow = { readonly slug: string; readonly path: string; readonly start: number; readonly text: string };

export type Graph = {
  readonly notes: number;
  readonly withheld: number;
  /** Notes that others link to most, most first. Of one note alone when it was named. */
  readonly hubs: readonly Hub[];
  /** Links to a note, each pair once; all of them, or those at the named note. */
  readonly edges: readonly Edge[];
  /** Links that name no note. */
  readonly broken: readonly Edge[];
  /** Notes without a link from or to another. */
  readonly orphans: readonly string[];
  readonly flows: readonly Flow[];
  readonly index: Freshness;
};

/** How notes hang together: their links, and what they say of data flows. */
export async function graph(desk: Desk, { note, withhold, ...run }: GraphOptions): Promise<Graph> {
  const { db, waiting } = await refresh(desk, run);
  const map = linkMap(db);
  const hidden = new Set(
    withhold ? map.notes.filter(({ sensitivity }) => sensitivity === "restricted").map(({ id }) => id) : [],
  );
  const named = note === undefined ? undefined : resolveTarget(db, note).note.id;
  const open = map.links.filter(({ from, to }) => !hidden.has(from.id) && !(to !== undefined && hidden.has(to.id)));
  const own = open.filter(({ from, to }) => named === undefined || from.id === named || to?.id === named);
  const between = own.filter(({ from, to }) => to !== undefined && to.id !== from.id);
  const notes = map.notes.filter(({ id }) => !hidden.has(id));
  const hubs = hubsOf(map, open);
  const linked = new Set(hubs.map(({ id }) => id));
  const headed = Map.groupBy(sectionsHeaded(db, "Data Flow"), ({ note: id }) => id);
  return {
    notes: notes.length,
    withheld: hidden.size,
    hubs: hubs.filter(({ id }) => named === undefined || id === named).map(({ id: _, ...hub }) => hub),
    edges: once(between.map((link) => edgeOf(map, link))),
    broken: own.filter(({ to }) => to === undefined).map((link) => edgeOf(map, link)),
    orphans: named === undefined ? notes.filter(({ id }) => !linked.has(id)).map(map.slug) : [],
    flows: notes
      .filter(({ id }) => named === undefined || id === named)
      .flatMap((shown) =>
        (headed.get(shown.id) ?? []).map(({ start, end }) => ({
          slug: map.slug(shown),
          path: shown.path,
          start,
          text: linesAt(desk, shown, start, end),
        })),
      ),
    index: freshnessOf(desk, db, waiting),
  };
}

const edgeOf = (map: LinkMap, { from, to, link }: ResolvedLink): Edge => ({
  from: map.slug(from),
  to: to === undefined ? link.target : map.slug(to),
  line: link.line,
  text: link.text,
});

function hubsOf(map: LinkMap, links: readonly ResolvedLink[]): (Hub & { readonly id: number })[] {
  const ends = links.flatMap(({ from, to }) => (to === undefined || to.id === from.id ? [] : [{ from, to }]));
  const incoming = Map.groupBy(ends, ({ to }) => to.id);
  const outgoing = Map.groupBy(ends, ({ from }) => from.id);
  return map.notes
    .filter(({ id }) => incoming.has(id) || outgoing.has(id))
    .map((note) => ({
      id: note.id,
      slug: map.slug(note),
      path: note.path,
      incoming: new Set(incoming.get(note.id)?.map(({ from }) => from.id)).size,
      outgoing: new Set(outgoing.get(note.id)?.map(({ to }) => to.id)).size,
    }))
    .sort((a, b) => b.incoming - a.incoming || b.outgoing - a.outgoing || (a.path < b.path ? -1 : 1));
}

/** The first of the links from one note to another. */
function once(edges: readonly Edge[]): Edge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to }) => !seen.has(`${from}\0${to}`) && seen.add(`${from}\0${to}`));
}

function linesAt(desk: Desk, { root, path }: ListedNote, start: number, end: number): string {
  const source = desk.sources.find((source) => source.root === root);
  if (source === undefined) return "";
  try {
    return new TextDecoder()
      .decode(source.read(path))
      .split("\n")
      .slice(start - 1, end)
      .join("\n");
  } catch {
    // Gone or unreadable since the index saw it: the next sweep tells.
    return "";
  }
}
