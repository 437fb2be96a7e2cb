import { folder } from "../notes/folder.ts";
import type { NoteSource } from "../notes/source.ts";
import type { Wording } from "../store/notes.ts";
import { explained } from "../store/open.ts";
import { type EngineSettings, openDesk } from "./desk.ts";
import { type IndexOptions, type IndexReport, indexNotes } from "./index-notes.ts";
import type { Mode } from "./pipeline.ts";
import type { Place } from "./place.ts";
import { type Reading, type ReadOptions, read } from "./read.ts";
import { type Answer, type RankedSection, rank, type SearchOptions, search } from "./search.ts";
import { type Status, status } from "./status.ts";

/** The verbs. Each may throw GestaltError; any other error is a bug. */
export type Engine = {
  readonly place: Place;
  index(options?: IndexOptions): Promise<IndexReport>;
  search(query: string, options: SearchOptions): Promise<Answer>;
  /** The ranking behind `search`, for benchmarks. */
  rank(
    query: string,
    options: SearchOptions,
  ): Promise<{ readonly ranking: readonly RankedSection[]; readonly mode: Mode }>;
  read(address: string, options?: ReadOptions): Promise<Reading>;
  status(): Promise<Status>;
};

export type EngineOptions = {
  readonly place: Place;
  readonly settings: EngineSettings;
  /** Notes that are not the place's folders, for benchmarks. */
  readonly sources?: readonly NoteSource[];
  readonly wording?: Wording;
};

/** Opens an engine, lends it, and closes it whatever happens. Nothing is read before the first verb. */
export async function withEngine<T>(options: EngineOptions, use: (engine: Engine) => Promise<T>): Promise<T> {
  const { place, settings } = options;
  const cutting = { ceiling: settings.ceiling, overlap: Math.min(settings.overlap, Math.floor(settings.ceiling / 2)) };
  const sources = options.sources ?? place.vaults.map(({ name, root }) => folder(name, root, cutting));
  const desk = openDesk(place, settings, sources, options.wording);
  const safely = async <R>(verb: () => R | Promise<R>): Promise<R> => {
    try {
      return await verb();
    } catch (error) {
      throw explained(place.db, error);
    }
  };
  try {
    return await use({
      place,
      index: (options_) => safely(() => indexNotes(desk, options_)),
      search: (query, search_) => safely(() => search(desk, query, search_)),
      rank: (query, options_) => safely(() => rank(desk, query, options_)),
      read: (address, reading) => safely(() => read(desk, address, reading)),
      status: () => safely(() => status(desk)),
    });
  } finally {
    await desk.close();
  }
}
