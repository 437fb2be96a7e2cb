import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GestaltError } from "../errors.ts";
import type { Cutting } from "../notes/source.ts";
import { loadBeir } from "./beir.ts";
import { type Conversation, type Level, levels } from "./conversations.ts";
import { checkFiles, type DatasetRow, datasetRows, findDataset, hashOf } from "./datasets.ts";
import { refuseSealed } from "./heldout.ts";
import { limitDocuments } from "./limit.ts";
import { readLocomo } from "./locomo.ts";
import { readLongMemEval } from "./longmemeval.ts";
import { beirTask, conversationSplit, conversationTask, type Task } from "./task.ts";

export type LoadOptions = {
  /** Folders that may hold the data, in this order. */
  readonly data: readonly string[];
  readonly cutting: Cutting;
  /** A split, or the level of a set of conversations. */
  readonly split?: string | undefined;
  readonly limitDocs?: number | undefined;
  /** The folder of seals: what lies sealed there and was not opened is not loaded. */
  readonly seals?: string | undefined;
};

/** All that can be asked of conversations: each level, and apart from it the questions that have no answer. */
const conversationSplits = (Object.keys(levels) as Level[]).flatMap((level) =>
  [false, true].map((unanswerable) => ({ level, unanswerable, name: conversationSplit(level, unanswerable) })),
);

/**
 * Loads what a name stands for: a row of the manifest, or a folder in BEIR form. A set with folds gives a task for
 * each; conversations give one for each level, unless `split` names one.
 *
 * @throws GestaltError("not-found") when it is not at hand, "bad-dataset" when it is not what was published or is
 *   broken, "usage" for a split that it does not have
 */
export function loadTasks(name: string, options: LoadOptions): readonly Task[] {
  const row = datasetRows.find((known) => known.name === name);
  if (row !== undefined && row.form !== "beir") return conversationTasks(row, options);
  return placesOf(name, options.data).map((place) => {
    checkFiles(place);
    if (options.seals !== undefined) refuseSealed(options.seals, place.name);
    const split = options.split ?? splitOf(place.dir, place.row);
    const dataset = loadBeir(place.dir, split, place.row === undefined ? undefined : place.name);
    const { limitDocs, cutting } = options;
    return limitDocs === undefined
      ? beirTask(dataset, cutting)
      : beirTask(limitDocuments(dataset, limitDocs), cutting, true);
  });
}

/** The places of a data set in the first folder that has it. @throws GestaltError as `findDataset` of the first folder */
export function placesOf(name: string, data: readonly string[]) {
  let first: unknown;
  for (const folder of data) {
    try {
      return findDataset(name, folder);
    } catch (error) {
      first ??= error;
    }
  }
  if (first !== undefined) throw first;
  return findDataset(name);
}

/** Whether one of the folders has it. */
export function hasDataset(row: DatasetRow, data: readonly string[]): boolean {
  if (row.form !== "beir") return candidates(row, data).some((path) => existsSync(path));
  try {
    return placesOf(row.name, data).length > 0;
  } catch {
    return false;
  }
}

/** `test` where there is one, else the only split there is. */
function splitOf(dir: string, row: DatasetRow | undefined): string {
  const held = row?.splits ?? splitsIn(dir);
  const [only, second] = held;
  if (held.includes("test") || only === undefined) return "test";
  if (second === undefined) return only;
  throw new GestaltError("usage", `${dir} has several splits: ${held.join(", ")}`, `--split ${only}`);
}

const splitsIn = (dir: string): readonly string[] =>
  existsSync(join(dir, "qrels"))
    ? readdirSync(join(dir, "qrels")).flatMap((file) => /^(.+)\.tsv$/.exec(file)?.[1] ?? [])
    : [];

function conversationTasks(row: DatasetRow, { data, cutting, split, limitDocs }: LoadOptions): readonly Task[] {
  const asked = conversationSplits.filter(({ name }) => split === undefined || split === name);
  if (asked.length === 0)
    throw new GestaltError(
      "usage",
      `${row.name} has no level "${split}"`,
      `one of ${conversationSplits.map(({ name }) => name).join(", ")}`,
    );
  const conversations = read(row, fileOf(row, data)).slice(0, limitDocs);
  return asked
    .map(({ level, unanswerable }) => conversationTask(row.name, conversations, level, cutting, unanswerable))
    .filter(({ parts }) => parts.length > 0)
    .map((task) => ({ ...task, smoke: limitDocs !== undefined }));
}

const read = (row: DatasetRow, file: string): readonly Conversation[] =>
  row.form === "locomo" ? readLocomo(file) : readLongMemEval(file);

/** Where the one file of a set of conversations may lie: in the set's folder, in that of all data, or beside that. */
function candidates({ name, url }: DatasetRow, data: readonly string[]): readonly string[] {
  const file = basename(new URL(url ?? "file:///data.json").pathname);
  return data.flatMap((folder) => [join(folder, name, file), join(folder, file), join(dirname(folder), file)]);
}

function fileOf(row: DatasetRow, data: readonly string[]): string {
  const { name, url, sha256 } = row;
  const file = candidates(row, data).find((path) => existsSync(path));
  if (file === undefined)
    throw new GestaltError(
      "not-found",
      `the data set ${name} is not at hand`,
      `--fetch, or --data DIR, where DIR/${name} holds what ${url} gives`,
    );
  if (sha256 !== null && hashOf(file) !== sha256)
    throw new GestaltError(
      "bad-dataset",
      `${file} is not ${name} as published: its SHA-256 differs`,
      `fetch it again from ${url}`,
    );
  return file;
}
