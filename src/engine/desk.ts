import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import type { Reranker } from "../models/rerank.ts";
import type { NoteSource } from "../notes/source.ts";
import { passageCount } from "../store/lexical.ts";
import { type Marker, openMarker } from "../store/marks.ts";
import { getMeta, keeping } from "../store/meta.ts";
import { schema, schemaOf } from "../store/migrations.ts";
import type { Wording } from "../store/notes.ts";
import { openDatabase } from "../store/open.ts";
import { askPostings, openPostings, type Postings } from "../store/postings.ts";
import { vaults } from "../store/vaults.ts";
import { pendingCount } from "../store/vectors.ts";
import type { Comparing } from "./comparing.ts";
import type { EngineSettings } from "./knobs.ts";
import { lasting } from "./lasting.ts";
import type { Meaning } from "./meaning.ts";
import type { Place } from "./place.ts";
import type { SharedModels } from "./shared-models.ts";
import type { Watch } from "./watch.ts";

/** What the verbs share while an engine is open. */
export type Desk = {
  readonly place: Place;
  readonly settings: EngineSettings;
  readonly sources: readonly NoteSource[];
  readonly wording: Wording;
  /** The index, opened once; undefined while there is no file and none is to be made. */
  database(options: { readonly create: boolean; readonly patience?: number }): Database | undefined;
  /** The model and its vectors, opened once. Throws as `openMeaning` does. */
  meaning(): Promise<Meaning>;
  /** A model that reads again, opened once. Throws as `openReranker` does. */
  reranker(model: string): Promise<Reranker>;
  /** The passages that have a word: kept, in a process that lives on. */
  readonly postings: Postings;
  /** How many passages have no vector yet. */
  pending(db: Database): number;
  /** How vectors are compared here; loaded when somebody asks. */
  comparing(): Promise<Comparing>;
  /** Finds the question's words in texts, opened once. */
  marker(): Marker;
  /** Says when a sweep can be spared; only in a process that lives on. */
  readonly watch: Watch | undefined;
  /** Models that other engines of this process use too. */
  readonly models: SharedModels | undefined;
  /** Leaves the file alone from here on: the index is an empty one in memory. */
  useMemory(): Promise<void>;
  close(): Promise<void>;
};

/** Count up when notes are parsed, cut or worded otherwise than before: every index is then read anew. */
const format = 2;

/** What the rows of an index depend on besides the notes. */
export const formatOf = ({ settings, wording }: Desk): string =>
  `${format} ${settings.ceiling} ${settings.overlap} ${wording}`;

export function openDesk(
  place: Place,
  settings: EngineSettings,
  sources: readonly NoteSource[],
  wording: Wording = "ours",
  { watch, models }: { readonly watch?: Watch | undefined; readonly models?: SharedModels | undefined } = {},
): Desk {
  let db: Database | undefined;
  let opening: Promise<Meaning> | undefined;
  let marker: Marker | undefined;
  let inMemory = false;
  let comparing: Promise<Comparing> | undefined;
  const rerankers = new Map<string, Promise<Reranker>>();
  const desk: Desk = {
    place,
    settings,
    sources,
    wording,
    watch,
    models,
    database(options) {
      if (db !== undefined) return db;
      db = openDatabase(inMemory ? ":memory:" : place.db, inMemory ? { create: true } : options);
      if (db !== undefined && watch !== undefined) lasting(db);
      return db;
    },
    meaning() {
      opening ??= import("./meaning.ts").then(({ openMeaning }) => openMeaning(desk, opened(desk)));
      opening.catch(() => {
        opening = undefined;
      });
      return opening;
    },
    reranker(model) {
      const found = rerankers.get(model) ?? openRerankerOf(place, settings, model);
      rerankers.set(model, found);
      found.catch(() => rerankers.delete(model));
      return found;
    },
    postings: watch === undefined ? askPostings : openPostings(),
    pending: watch === undefined ? pendingCount : keeping(pendingCount),
    comparing() {
      comparing ??= openComparingOf(desk);
      return comparing;
    },
    marker() {
      marker ??= openMarker();
      return marker;
    },
    async useMemory() {
      await desk.close();
      inMemory = true;
    },
    async close() {
      const meaning = await opening?.catch(() => undefined);
      await meaning?.embedder.close();
      for (const reranker of rerankers.values()) await (await reranker.catch(() => undefined))?.close();
      rerankers.clear();
      db?.close();
      marker?.close();
      [db, opening, marker, comparing] = [undefined, undefined, undefined, undefined];
    },
  };
  return desk;
}

async function openComparingOf(desk: Desk): Promise<Comparing> {
  const { openComparing } = await import("./comparing.ts");
  return openComparing(opened(desk), desk.watch !== undefined);
}

async function openRerankerOf({ models }: Place, settings: EngineSettings, model: string): Promise<Reranker> {
  const { openReranker } = await import("../models/rerank.ts");
  return openReranker({
    models,
    model,
    dtype: settings["rerank-dtype"],
    device: settings["rerank-device"],
    batch: settings["rerank-batch"],
    maxChars: settings["rerank-maxchars"],
    instruction: settings["rerank-instruction"],
  });
}

/** The index, made when it is not there. */
export function opened(desk: Desk): Database {
  const db = desk.database({ create: true });
  if (db === undefined) throw new Error("a database that was to be made is not there");
  return db;
}

/** Whether there is anything to answer from, whole or not. */
export const hasNotes = (db: Database): boolean =>
  schemaOf(db) === schema && vaults(db).length > 0 && passageCount(db) > 0;

/**
 * Whether the rows can be used as they are: of this schema, of these vaults, cut as the settings say.
 *
 * @throws GestaltError "usage" when the file holds the notes of other folders
 */
export function usable(desk: Desk, db: Database): boolean {
  if (schemaOf(db) < schema) return false;
  const held = vaults(db);
  const wanted = desk.sources.map(({ root }) => root);
  if (held.length > 0 && !held.some(({ root }) => wanted.includes(root)))
    throw new GestaltError(
      "usage",
      `${desk.place.db} is the index of ${held.map(({ root }) => root).join(", ")}, not of ${wanted.join(", ")}`,
      "gestalt index (to give it over to these notes), or name another file with --db FILE",
    );
  return held.length === wanted.length && getMeta(db, "format") === formatOf(desk);
}
