import { GestaltError } from "../errors.ts";
import { type SectionRow, sectionsOf } from "../store/addresses.ts";
import { breadcrumb } from "../store/notes.ts";
import type { Freshness, Sensitivity } from "../types.ts";
import type { Desk } from "./desk.ts";
import { freshnessOf, type RunOptions, refresh } from "./refresh.ts";
import { resolveTarget, type Target } from "./target.ts";

export type ReadOptions = RunOptions & {
  /** Sections before and after the one named that are read too. */
  readonly neighbours?: number;
};

/** A note or a part of it, word for word as it stands on disk. `start` and `end` are 1-based, both included. */
export type Reading = {
  readonly vault: string;
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly sensitivity: Sensitivity;
  readonly index: Freshness;
};

/**
 * Reads what an address names, after the changes on disk are taken in.
 *
 * @throws GestaltError "not-found" with near names when the address names nothing, or nothing single
 */
export async function read(desk: Desk, address: string, options: ReadOptions = {}): Promise<Reading> {
  const { db, waiting } = await refresh(desk, options);
  const target = resolveTarget(db, address);
  const { note, section } = target;
  const source = desk.sources.find(({ root }) => root === note.root);
  if (source === undefined) throw new Error(`no source for ${note.root}`);
  const lines = new TextDecoder().decode(source.read(note.path)).split("\n");
  const wanted = widened(target, sectionsOf(db, note.id), options.neighbours ?? 0);
  const start = wanted?.start ?? 1;
  // What ends in a line break has no line after it.
  const last = lines.at(-1) === "" ? Math.max(1, lines.length - 1) : lines.length;
  const end = Math.min(wanted?.end ?? last, last);
  if (start > last)
    throw new GestaltError("not-found", `${note.path} has ${last} lines`, `gestalt read "${note.path}:1-${last}"`);
  return {
    vault: note.vault,
    path: note.path,
    title: note.title,
    headings: breadcrumb(note.title, section?.headings ?? []),
    start,
    end,
    text: lines.slice(start - 1, end).join("\n"),
    sensitivity: note.sensitivity,
    index: freshnessOf(desk, db, waiting),
  };
}

/** The lines meant, grown by whole sections on both sides. */
function widened({ lines }: Target, sections: readonly SectionRow[], neighbours: number): Target["lines"] {
  if (lines === undefined || neighbours === 0) return lines;
  const first = sections.findIndex(({ end }) => end >= lines.start);
  const last = sections.findLastIndex(({ start }) => start <= lines.end);
  return {
    start: Math.min(lines.start, sections[Math.max(0, first - neighbours)]?.start ?? lines.start),
    end: Math.max(lines.end, sections[Math.min(sections.length - 1, last + neighbours)]?.end ?? lines.end),
  };
}
