import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineSettings } from "../engine/desk.ts";
import { type Engine, withEngine } from "../engine/open.ts";
import { GestaltError } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import { codeHashes } from "./code.ts";
import { isFields } from "./json.ts";
import type { System } from "./systems.ts";
import { digest, type Task } from "./task.ts";

/** A folder of indexes, one for each part of a task, and what making and asking them cost. */
export type Indexes = {
  readonly folder: string;
  /** One file of vectors for all: a text's vector depends on the text and the model alone. */
  readonly vectors: string;
  /** Seconds, all parts together; null when one was killed while it was made: what it took before that is lost. */
  seconds(): number | null;
  noteSeconds(part: string, seconds: number | null): void;
};

/** Opens the folder for everything that gives the same index: a system finds there what another has made. */
export function openIndexes(cache: string, task: Task, system: System, settings: EngineSettings): Indexes {
  const { notes, store, models } = codeHashes;
  const cutting = [settings.ceiling, settings.overlap];
  const { "embed-profile": profile, "embed-dtype": dtype, "embed-dim": width, "embed-normalize": unit } = settings;
  const embedding = system.vectors ? [profile, dtype, width, unit, models] : [];
  const key = digest([task.hash, system.form, system.wording, cutting, notes, store, embedding]).slice(0, 16);
  const folder = join(cache, `${task.dataset.replace(/[^\w.-]+/g, "-")}-${key}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "cost.json");
  const held: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const seconds = new Map<string, number | null>();
  for (const [part, value] of Object.entries(isFields(held) ? held : {}))
    seconds.set(part, typeof value === "number" ? value : null);
  return {
    folder,
    vectors: join(cache, `vectors-${models?.slice(0, 16)}.db`),
    seconds: () =>
      [...seconds.values()].reduce<number | null>((sum, s) => (sum === null || s === null ? null : sum + s), 0),
    noteSeconds(part, value) {
      seconds.set(part, value);
      writeFileSync(file, JSON.stringify(Object.fromEntries(seconds)));
    },
  };
}

export type Opening = {
  readonly settings: EngineSettings;
  /** The folder of all models. */
  readonly models: string;
  readonly onProgress?: (done: number, total: number) => void;
};

/**
 * Lends an engine over the whole index of a source, made now or found.
 *
 * @param name of the part, unique in its folder
 * @throws GestaltError("model-missing") when the system needs vectors and they cannot all be made, "bad-dataset" when a
 *   document could not be read: a score over less than everything would be another score
 */
export async function withIndex<T>(
  indexes: Indexes,
  name: string,
  source: NoteSource,
  system: System,
  { settings, models, onProgress }: Opening,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const stem = join(indexes.folder, name.replace(/[^\w.-]+/g, "-"));
  const place = { vaults: [], db: `${stem}.db`, vectors: indexes.vectors, models, why: "a benchmark" };
  return await withEngine({ place, settings, sources: [source], wording: system.wording }, async (engine) => {
    const report = await engine.index({
      lexical: !system.vectors,
      onProgress: (_, done, total) => onProgress?.(done, total),
    });
    const [skipped] = report.skipped;
    if (skipped !== undefined)
      throw new GestaltError("bad-dataset", `${skipped.path} was not read: ${skipped.reason}`, "fetch the data again");
    const [failed] = report.failed;
    if (report.wordsOnly !== undefined || failed !== undefined || (report.pending.passages > 0 && system.vectors))
      throw new GestaltError(
        "model-missing",
        `not every document has a vector: ${report.wordsOnly ?? failed?.reason ?? `${report.pending.passages} are missing`}`,
        "gestalt doctor",
      );
    // With vectors that were there already it took less than it does.
    const found = report.unchanged > 0 || (system.vectors && report.embedded < report.added);
    if (report.added + report.embedded > 0) indexes.noteSeconds(name, found ? null : report.seconds);
    return await use(engine);
  });
}
