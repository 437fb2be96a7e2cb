import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import type { Settings } from "../settings.ts";
import { getMeta } from "../store/meta.ts";
import { schema, schemaOf } from "../store/migrations.ts";
import type { Wording } from "../store/notes.ts";
import { openDatabase } from "../store/open.ts";
import { vaults } from "../store/vaults.ts";
import type { Place } from "./place.ts";

/** The knobs that the engine reads. */
export const engineKnobs = ["ceiling", "overlap", "stopwords", "sweep-ms", "wait"] as const;
export type EngineSettings = Settings<(typeof engineKnobs)[number]>;

/** What the verbs share while an engine is open. */
export type Desk = {
  readonly place: Place;
  readonly settings: EngineSettings;
  readonly sources: readonly NoteSource[];
  readonly wording: Wording;
  /** The index, opened once; undefined while there is no file and none is to be made. */
  database(options: { readonly create: boolean }): Database | undefined;
  close(): void;
};

/** Count up when notes are parsed, cut or worded otherwise than before: every index is then read anew. */
const format = 1;

/** What the rows of an index depend on besides the notes. */
export const formatOf = ({ settings, wording }: Desk): string =>
  `${format} ${settings.ceiling} ${settings.overlap} ${wording}`;

export function openDesk(
  place: Place,
  settings: EngineSettings,
  sources: readonly NoteSource[],
  wording: Wording = "ours",
): Desk {
  let db: Database | undefined;
  return {
    place,
    settings,
    sources,
    wording,
    database(options) {
      db ??= openDatabase(place.db, options);
      return db;
    },
    close() {
      db?.close();
      db = undefined;
    },
  };
}

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
