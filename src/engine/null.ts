import type { Database } from "bun:sqlite";
import type { NullSignals } from "../rank/gate.ts";
import { lexical } from "../store/lexical.ts";
import { tryLock } from "../store/lock.ts";
import { getMeta, setMeta } from "../store/meta.ts";
import { parseQuery } from "../store/query.ts";
import { noteAge } from "../store/recall.ts";
import { hasVectors, pendingCount } from "../store/vectors.ts";
import { type Desk, hasNotes } from "./desk.ts";
import type { Meaning } from "./meaning.ts";
import { tuning } from "./pipeline.ts";
import { wordSignalOf } from "./signals.ts";

/**
 * What the index holds under `null`. `notes` and `newest` tell how far the notes have moved on since; `model` whose vectors
 * gave the cosines. One row per prompt: the signal by words, and by meaning where there was a model.
 */
type Stored = {
  readonly format: number;
  readonly notes: number;
  readonly newest: number;
  readonly model: number | undefined;
  readonly rows: readonly (readonly number[])[];
};

/** Count up when the prompts or the signals change. */
const format = 1;
/** The share of the notes that may change before the null is measured anew. */
const drift = 0.1;

/**
 * The signals of everyday prompts against these notes, as last measured; none when never.
 *
 * @param model whose cosines count; those of another are left out
 */
export function storedNull(db: Database, model: number | undefined): NullSignals {
  const stored = read(db);
  const counts = model !== undefined && stored?.model === model;
  return stored?.rows.map(([words = 0, meaning]) => ({ words, meaning: counts ? meaning : undefined })) ?? [];
}

/** Whether the null is missing, or measured on other notes than there are now, or without the meaning there could be. */
export function isNullDue(db: Database, model: number | undefined): boolean {
  const stored = read(db);
  if (stored === undefined || (model !== undefined && stored.model !== model)) return true;
  const { notes, newest } = noteAge(db);
  return Math.abs(notes - stored.notes) + Math.max(0, newest - stored.newest) > drift * stored.notes;
}

/**
 * Asks the notes the everyday prompts, but for every third, and keeps how well they answer: what a question must pass to be
 * put before an agent. For when nobody waits; a prompt costs what a search costs.
 *
 * @param meaning a model whose vectors most passages have; without it the cosines are left out
 * @returns false when there was nothing to do
 */
export async function measureNull(desk: Desk, meaning: Meaning | undefined): Promise<boolean> {
  const db = desk.database({ create: false });
  if (db === undefined || !hasNotes(db)) return false;
  const seen = meaning !== undefined && hasVectors(db, desk.place.vectors) && pendingCount(db) === 0;
  const model = seen ? meaning.model : undefined;
  if (!isNullDue(db, model)) return false;
  const rows: number[][] = [];
  for (const prompt of await fittingPrompts()) {
    const query = parseQuery(prompt, { stopWords: desk.settings.stopwords });
    const words = wordSignalOf(db, query, lexical(db, query, tuning.weights, 2 * tuning.depth));
    const row = [words];
    if (seen) row.push(desk.nearest("passage", await meaning.embedder.embedQuery(prompt), 1)[0]?.score ?? 0);
    rows.push(row.map((value) => Number(value.toPrecision(5))));
    await Bun.sleep(0);
  }
  const lock = tryLock(desk.place.db);
  if (lock === undefined) return false;
  try {
    setMeta(db, "null", JSON.stringify({ format, ...noteAge(db), model, rows } satisfies Stored));
  } finally {
    lock.release();
  }
  return true;
}

/** Two of three of our own everyday prompts. */
export const fittingPrompts = (): Promise<readonly string[]> => prompts((i) => i % 3 !== 2);

/** The third that has no part in any null: what the gate is tested with. */
export const unseenPrompts = (): Promise<readonly string[]> => prompts((i) => i % 3 === 2);

async function prompts(keep: (place: number) => boolean): Promise<readonly string[]> {
  const kinds = Object.values((await import("./everyday.json")).default);
  return kinds.flatMap((kind) => kind.filter((_, i) => keep(i)));
}

function read(db: Database): Stored | undefined {
  const text = getMeta(db, "null");
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as Stored;
  return stored.format === format ? stored : undefined;
}
