import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineSettings } from "../engine/knobs.ts";
import { openModelShelf } from "../engine/models.ts";
import type { Indexes } from "./indexed.ts";
import type { Answered, Journal } from "./journal.ts";
import { peakSoFar } from "./peak.ts";
import type { System } from "./systems.ts";
import { documentsOf, type Task } from "./task.ts";

/**
 * What a trial cost. Bytes and milliseconds; null where there is nothing of the kind, or nobody can say. `peakBytes` is
 * the most memory that the process held in that trial (since its own start, on systems other than Linux). `indexBytes`
 * are without the vectors, which lie in one file for all indexes. `indexSeconds` are of all runs that made the index;
 * they lack the time of `vectorsFound` passages, whose vectors were there when it was begun.
 */
export type Cost = {
  readonly indexSeconds: number | null;
  readonly vectorsFound: number;
  readonly documentsPerSecond: number | null;
  readonly queryP50: number;
  readonly queryP95: number;
  readonly peakBytes: number;
  readonly indexBytes: number;
  /** The models, by their names in the model table, and where the one that reads questions ran. */
  readonly embedder: string | null;
  readonly reranker: string | null;
  readonly modelBytes: number;
  readonly device: string | null;
};

/**
 * The value that a share of all values does not pass, by the nearest-rank method.
 *
 * @param share above 0, at most 1
 * @throws RangeError for no values
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new RangeError("no values to take a percentile of");
  return value;
}

/** Starts the count of `peakBytes` anew, where the system can. */
export function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Then the peak is that of the whole process.
  }
}

/** The most memory that this process has held at once, in bytes. */
export const peakBytes = (): number => peakSoFar("self") || process.resourceUsage().maxRSS * 1024;

/** Bytes of all files below a folder. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

export type Spent = {
  readonly task: Task;
  readonly system: System;
  readonly indexes: Indexes;
  readonly journal: Journal;
  readonly answers: readonly Answered[];
  /** The folder of all models. */
  readonly models: string;
  readonly settings: EngineSettings;
};

/** What a trial cost, from what its runs have noted. */
export function costOf({ task, system, indexes, journal: { notes }, answers, models, settings }: Spent): Cost {
  const indexed = system.mode !== "grep";
  const { seconds, found } = indexed ? indexes.spent() : { seconds: null, found: 0 };
  const times = answers.map(({ ms }) => ms);
  const [embedder, reranker] = [optional(notes["embedder"]), optional(notes["reranker"])];
  return {
    indexSeconds: seconds,
    vectorsFound: found,
    documentsPerSecond: seconds === null || found > 0 ? null : documentsOf(task) / seconds,
    queryP50: percentile(times, 0.5),
    queryP95: percentile(times, 0.95),
    peakBytes: Number(notes["peakBytes"] ?? 0),
    indexBytes: indexed ? bytesBelow(indexes.folder) : 0,
    embedder,
    reranker,
    modelBytes:
      bytesOf(models, embedder && `embed/${embedder}`, settings["embed-dtype"]) +
      bytesOf(models, reranker && `rerank/${reranker}`, settings["rerank-dtype"]),
    device: optional(notes["device"]),
  };
}

const optional = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Bytes of a model's files as its row states them; 0 for no model. */
function bytesOf(models: string, id: string | null, dtype: string | undefined): number {
  const listed = id === null ? [] : openModelShelf(models).list();
  return listed.find((row) => row.id === id && (dtype === undefined ? row.usual : row.dtype === dtype))?.bytes ?? 0;
}
