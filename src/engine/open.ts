import { dirname, join } from "node:path";
import { folder } from "../notes/folder.ts";
import type { NoteSource } from "../notes/source.ts";
import type { Null } from "../rank/gate.ts";
import type { Wording } from "../store/notes.ts";
import { explained } from "../store/open.ts";
import { openDesk } from "./desk.ts";
import type { Embedding } from "./embed.ts";
import type { Graph, GraphOptions } from "./graph.ts";
import { type IndexOptions, type IndexReport, indexNotes } from "./index-notes.ts";
import type { EngineSettings } from "./knobs.ts";
import type { Manifest, ManifestOptions } from "./manifest.ts";
import type { MeasureOptions } from "./null.ts";
import type { Place } from "./place.ts";
import { type Reading, type ReadOptions, read } from "./read.ts";
import type { Recalled, RecalledSection, RecallOptions } from "./recall.ts";
import { refresh } from "./refresh.ts";
import { type Answer, type RankedAnswer, rank, type SearchOptions, search } from "./search.ts";
import type { SharedModels } from "./shared-models.ts";
import { type Status, status } from "./status.ts";
import { watchFolders } from "./watch.ts";

/** The verbs. Each may throw GestaltError; any other error is a bug. */
export type Engine = {
  readonly place: Place;
  index(options?: IndexOptions): Promise<IndexReport>;
  search(query: string, options: SearchOptions): Promise<Answer>;
  /** Takes in the changes on disk, then embeds what has no vector yet, in this thread, until the time is over. */
  embed(options: { readonly milliseconds: number; readonly isOver: () => boolean }): Promise<Embedding>;
  /** The ranking behind `search`, for benchmarks. */
  rank(query: string, options: SearchOptions): Promise<RankedAnswer>;
  read(address: string, options?: ReadOptions): Promise<Reading>;
  /** A first idea of the notes, at once; undefined while there is no index. */
  brief(): Promise<{ readonly notes: number; readonly tags: readonly string[] } | undefined>;
  /** What notes there are. */
  manifest(options: ManifestOptions): Promise<Manifest>;
  /** How they hang together. */
  graph(options: GraphOptions): Promise<Graph>;
  /** What the notes have to say to a prompt nobody searched with; undefined without an index. */
  recall(prompt: string, options: RecallOptions): Promise<Recalled | undefined>;
  /** What `recall` compares a prompt with; for benchmarks. None before `measure`. */
  null(): Promise<Null>;
  /** Takes in the changes on disk, and builds nothing; false when `index` and `measure` must run before `recall` can serve. */
  catchUp(): Promise<boolean>;
  /** The sections about a file of a project, by their own word. */
  about(file: string, project: string): Promise<readonly RecalledSection[]>;
  /** The text of sections by the addresses that `recall` gives, as far as the index has them. */
  texts(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What is wrong with a note that was just written; nothing for a file that is no note. */
  check(file: string): Promise<readonly string[]>;
  /** Measures what `recall` must know of these notes, when it is due: some seconds. True when it was. */
  measure(options: MeasureOptions): Promise<boolean>;
  /** How near a question is to texts that are no notes; undefined without an index or a model. */
  likeness(question: string, texts: readonly string[]): Promise<readonly number[] | undefined>;
  status(): Promise<Status>;
  /** Resolves when notes have changed; only with `watch`. */
  changed(): Promise<void>;
};

export type EngineOptions = {
  readonly place: Place;
  readonly settings: EngineSettings;
  /** Notes that are not the place's folders, for benchmarks. */
  readonly sources?: readonly NoteSource[];
  readonly wording?: Wording;
  /** For a process that lives on: the folders are watched, so that a question need not look at every file. */
  readonly watch?: boolean;
  /** Models that several engines of this process share. */
  readonly models?: SharedModels;
};

/** Opens an engine, lends it, and closes it whatever happens. Nothing is read before the first verb. */
export async function withEngine<T>(options: EngineOptions, use: (engine: Engine) => Promise<T>): Promise<T> {
  const { place, settings } = options;
  const cutting = { ceiling: settings.ceiling, overlap: Math.min(settings.overlap, Math.floor(settings.ceiling / 2)) };
  const sources = options.sources ?? place.vaults.map(({ name, root }) => folder(name, root, cutting));
  const roots = place.vaults.map(({ root }) => root);
  const watch = options.watch ? watchFolders(roots, join(dirname(place.db), "watch")) : undefined;
  const desk = openDesk(place, settings, sources, options.wording, { watch, models: options.models });
  let changes: (() => Promise<void>) | undefined;
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
      embed: ({ milliseconds, isOver }) =>
        safely(async () => {
          const { db } = await refresh(desk);
          const deadline = performance.now() + milliseconds;
          return await (await import("./embed.ts")).embedPending(desk, db, { deadline, alone: true, isOver });
        }),
      rank: (query, options_) => safely(() => rank(desk, query, options_)),
      read: (address, reading) => safely(() => read(desk, address, reading)),
      brief: () => safely(async () => (await import("./manifest.ts")).brief(desk)),
      manifest: (options_) => safely(async () => (await import("./manifest.ts")).manifest(desk, options_)),
      graph: (options_) => safely(async () => (await import("./graph.ts")).graph(desk, options_)),
      recall: (prompt, options_) => safely(async () => (await import("./recall.ts")).recall(desk, prompt, options_)),
      null: () =>
        safely(async () => {
          const db = desk.database({ create: false });
          const model = await desk.meaning().then(
            (meaning) => meaning.model,
            () => undefined,
          );
          return db === undefined ? { everyday: [], elsewhere: [] } : (await import("./null.ts")).storedNull(db, model);
        }),
      catchUp: () => safely(async () => (await import("./recall.ts")).catchUp(desk)),
      about: (file, project) => safely(async () => (await import("./about.ts")).about(desk, file, project)),
      texts: (addresses) => safely(async () => (await import("./texts.ts")).texts(desk, addresses)),
      check: (file) => safely(async () => (await import("./check.ts")).check(desk, file)),
      measure: (options_) => safely(async () => (await import("./null.ts")).measureNull(desk, options_)),
      likeness: (question, texts) =>
        safely(async () => (await import("./likeness.ts")).likeness(desk, question, texts)),
      status: () => safely(() => status(desk)),
      changed: () =>
        safely(async () => {
          changes ??= (await import("./changed.ts")).openChanges(desk);
          return await changes();
        }),
    });
  } finally {
    watch?.close();
    await desk.close();
  }
}
