import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineSettings } from "../engine/knobs.ts";
import { type Engine, withEngine } from "../engine/open.ts";
import { GestaltError } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import { codeHashes } from "./code.ts";
import { isFields } from "./json.ts";
import type { System } from "./systems.ts";
import { digest, type Task } from "./task.ts";
import { writeWhole } from "./whole.ts";

/** A folder of indexes, one for each part of a task, and what making and asking them cost. */
export type Indexes = {
  readonly folder: string;
  /** One file of vectors for all: a text's vector depends on the text and the model alone. */
  readonly vectors: string;
  /** All parts together. */
  spent(): Spent;
  spentOn(part: string): Spent;
  note(part: string, spent: Spent): void;
};

/** Seconds of all runs that made an index, and the passages whose vectors were there when it was begun. */
type Spent = { readonly seconds: number; readonly found: number };
const nothing: Spent = { seconds: 0, found: 0 };
/** Seconds between two notes of what a run has spent: what is lost of the count when it is killed. */
const NOTE = 2;

/** Opens the folder for everything that gives the same index: a system finds there what another has made. */
export function openIndexes(cache: string, task: Task, system: System, settings: EngineSettings): Indexes {
  const { notes, store, models } = codeHashes;
  const cutting = [settings.ceiling, settings.overlap];
  const { "embed-profile": profile, "embed-dtype": dtype, "embed-dim": width, "embed-normalize": unit } = settings;
  const embedding = system.vectors ? [profile, dtype, width, unit, models] : [];
  const key = digest([task.corpus, system.form, system.wording, cutting, notes, store, embedding]).slice(0, 16);
  const folder = join(cache, `${task.dataset.replace(/[^\w.-]+/g, "-")}-${key}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "cost.json");
  const spent = new Map<string, Spent>();
  const held: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  for (const [part, value] of Object.entries(isFields(held) ? held : {}))
    if (isFields(value)) spent.set(part, { seconds: Number(value["seconds"]), found: Number(value["found"]) });
  return {
    folder,
    vectors: join(cache, `vectors-${models?.slice(0, 16)}.db`),
    spent: () => [...spent.values()].reduce(plus, nothing),
    spentOn: (part) => spent.get(part) ?? nothing,
    note(part, value) {
      spent.set(part, value);
      writeWhole(file, JSON.stringify(Object.fromEntries(spent)));
    },
  };
}

const plus = (a: Spent, b: Spent): Spent => ({ seconds: a.seconds + b.seconds, found: a.found + b.found });

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
    const before = indexes.spentOn(name);
    const start = performance.now();
    let noted = 0;
    const report = await engine.index({
      lexical: !system.vectors,
      onProgress(_, done, total) {
        const seconds = (performance.now() - start) / 1000;
        if (seconds >= noted + NOTE) {
          noted = seconds;
          indexes.note(name, plus(before, { seconds, found: 0 }));
        }
        onProgress?.(done, total);
      },
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
    // What another corpus left in its place is no part of this one's time.
    if (report.added + report.changed + report.embedded > 0)
      indexes.note(name, plus(report.removed > 0 ? nothing : before, report));
    return await use(engine);
  });
}
