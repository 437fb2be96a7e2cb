import type { Database } from "bun:sqlite";
import type { Null, Signals } from "../rank/gate.ts";
import { lexical } from "../store/lexical.ts";
import { tryLock, waitForLock } from "../store/lock.ts";
import { getMeta, setMeta } from "../store/meta.ts";
import { parseQuery } from "../store/query.ts";
import { noteAge } from "../store/recall.ts";
import { hasVectors, pendingCount } from "../store/vectors.ts";
import { type Desk, hasNotes } from "./desk.ts";
import { lasting } from "./lasting.ts";
import type { Meaning } from "./meaning.ts";
import { tuning } from "./pipeline.ts";
import { wordSignalOf } from "./signals.ts";

/**
 * What the index holds under `null`. `notes` and `newest` tell how far the notes have moved on since; `model` whose vectors
 * gave the cosines. One row per prompt: the signal by words, and by meaning where there was a model; of questions of other subjects only
 * then.
 */
type Stored = {
  readonly format: number;
  readonly notes: number;
  readonly newest: number;
  readonly model: number | undefined;
  readonly rows: Rows;
  readonly elsewhere: Rows;
};
type Rows = readonly (readonly number[])[];

/** Count up when the prompts or the signals change. */
const format = 3;
/** The share of the notes that may change before the null is measured anew. */
const drift = 0.1;
/** Milliseconds to wait for one who is writing the index, when all is measured. */
const patience = 5_000;

/**
 * What our own prompts score against these notes, as last measured; nothing when never.
 *
 * @param model whose cosines count; those of another are left out
 */
export function storedNull(db: Database, model: number | undefined): Null {
  const stored = read(db);
  const counts = model !== undefined && stored?.model === model;
  const signals = (rows: Rows = []): readonly Signals[] =>
    rows.map(([words = 0, meaning]) => ({ words, meaning: counts ? meaning : undefined }));
  return { everyday: signals(stored?.rows), elsewhere: counts ? signals(stored.elsewhere) : [] };
}

/** Whether the null is missing, or measured on other notes than there are now, or without the meaning there could be. */
export function isNullDue(db: Database, model: number | undefined): boolean {
  const stored = read(db);
  if (stored === undefined || (model !== undefined && stored.model !== model)) return true;
  const { notes, newest } = noteAge(db);
  return Math.abs(notes - stored.notes) + Math.max(0, newest - stored.newest) > drift * stored.notes;
}

export type MeasureOptions = {
  /** With the cosines too, when most passages have vectors. */
  readonly meaning: boolean;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/**
 * Asks the notes the everyday prompts, but for every third, and where there is a model questions of other subjects, and keeps how well
 * they answer: what a question must pass to be put before an agent. For when nobody waits: a prompt costs what a search costs.
 *
 * @returns false when there was nothing to do, or another process is doing it
 */
export async function measureNull(desk: Desk, { meaning: wanted, onProgress }: MeasureOptions): Promise<boolean> {
  const db = desk.database({ create: false });
  if (db === undefined || !hasNotes(db)) return false;
  const seen = wanted && hasVectors(db, desk.place.vectors) && pendingCount(db) === 0;
  const meaning = seen ? await desk.meaning().catch(() => undefined) : undefined;
  if (!isNullDue(db, meaning?.model)) return false;
  const turn = tryLock(`${desk.place.db}.null`);
  if (turn === undefined) return false;
  try {
    const asked = { rows: await fittingPrompts(), elsewhere: meaning === undefined ? [] : await elsewherePrompts() };
    const total = asked.rows.length + asked.elsewhere.length;
    const rows = await rowsOf(desk, db, asked.rows, meaning, (done) => onProgress?.(done, total));
    const elsewhere = await rowsOf(desk, db, asked.elsewhere, meaning, (done) =>
      onProgress?.(rows.length + done, total),
    );
    const lock = await waitForLock(desk.place.db, patience);
    if (lock === undefined) return false;
    setMeta(
      db,
      "null",
      JSON.stringify({ format, ...noteAge(db), model: meaning?.model, rows, elsewhere } satisfies Stored),
    );
    lock.release();
    return true;
  } finally {
    turn.release();
  }
}

async function rowsOf(
  desk: Desk,
  db: Database,
  prompts: readonly string[],
  meaning: Meaning | undefined,
  onProgress: (done: number) => void,
): Promise<Rows> {
  lasting(db);
  const rows: number[][] = [];
  for (const prompt of prompts) {
    const query = parseQuery(prompt, { stopWords: desk.settings.stopwords });
    const row = [wordSignalOf(db, query, lexical(db, query, tuning.weights, 2 * tuning.depth, desk.postings))];
    if (meaning !== undefined) {
      const comparing = await desk.comparing();
      row.push(comparing.nearest("passage", await meaning.embedder.embedQuery(prompt), 1)[0]?.score ?? 0);
    }
    rows.push(row.map((value) => Number(value.toPrecision(5))));
    onProgress(rows.length);
    await Bun.sleep(0);
  }
  return rows;
}

/** Two of three of our own everyday prompts. */
export const fittingPrompts = (): Promise<readonly string[]> => prompts((i) => i % 3 !== 2);

/** The third that has no part in any null: what the gate is tested with. */
export const unseenPrompts = (): Promise<readonly string[]> => prompts((i) => i % 3 === 2);

/** Questions of other subjects: forty of them, so that any notes are about few. */
const elsewherePrompts = async (): Promise<readonly string[]> =>
  Object.values((await import("./elsewhere.json")).default).flat();

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
