import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import { passageCount } from "../store/lexical.ts";
import { type Lock, tryLock, waitForLock } from "../store/lock.ts";
import { changesOf, getMeta, setMeta } from "../store/meta.ts";
import { migrate } from "../store/migrations.ts";
import { explained, isSound, removeDatabase } from "../store/open.ts";
import { areVectorsBroken } from "../store/vector-file.ts";
import type { Freshness } from "../types.ts";
import { type Desk, formatOf, hasNotes, opened, usable } from "./desk.ts";
import { keepFolder, type Plan, planAll, waiting } from "./plan.ts";
import { type Report, update } from "./update.ts";

export type RunOptions = {
  /** Reads every note anew, and replaces an index file that is broken or too new. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called once when another process is writing and this one waits. */
  readonly onWait?: () => void;
};

/**
 * Brings the whole index up to date.
 *
 * @throws GestaltError "busy" when another process kept the lock for longer than the `wait` setting
 */
export async function runIndex(desk: Desk, options: RunOptions = {}): Promise<Report> {
  const lock = await waitForLock(desk.place.db, desk.settings.wait * 1000, options.onWait);
  if (lock === undefined)
    throw new GestaltError("busy", `another gestalt is writing ${desk.place.db}`, "gestalt index --wait 300");
  return await holding(lock, async () => {
    if (options.force) await clearBroken(desk);
    return await updateAll(desk, options);
  });
}

/**
 * An index that can be asked. `waiting`: how many notes it is behind by. `first`: it was built just now. `remark`: what the
 * reader should know of it.
 */
export type Refreshed = {
  readonly db: Database;
  readonly waiting: number;
  readonly first: boolean;
  readonly remark?: string;
};

/**
 * What a question needs before it is asked: an index, and the changes on disk taken in, as far as the `sweep-ms` setting
 * lets it and no other process is writing. A first index is built whole. Where the index file cannot be read or written
 * (rights, a full disk), one in memory is made for the question.
 */
export async function refresh(desk: Desk, options: RunOptions = {}): Promise<Refreshed> {
  try {
    return await refreshFile(desk, options);
  } catch (error) {
    const reason = explained(desk.place.db, error);
    if (!(reason instanceof GestaltError) || reason.code !== "io") throw error;
    await desk.useMemory();
    await updateAll(desk, options);
    const remark = `${reason.message}; answered from an index made in memory for this once`;
    return { db: opened(desk), waiting: 0, first: false, remark };
  }
}

async function refreshFile(desk: Desk, options: RunOptions): Promise<Refreshed> {
  const quiet = (await desk.watch?.quiet()) ?? false;
  const start = performance.now();
  const db = desk.database({ create: false });
  const current = db !== undefined && usable(desk, db);
  if (db === undefined || !(current || hasNotes(db))) {
    await runIndex(desk, options);
    return { db: opened(desk), waiting: 0, first: true };
  }
  if (quiet && current) return { db, waiting: 0, first: false };
  const state = changesOf(db);
  const plans = planAll(db, desk.sources, !current);
  let notes = waiting(plans);
  const lock = notes === 0 ? undefined : tryLock(desk.place.db);
  if (lock !== undefined) {
    // Rows of another cut or wording are all read anew: half of each would answer unlike either.
    const limits = current ? { deadline: start + desk.settings["sweep-ms"] } : options;
    // What was seen a blink ago is looked at again only when another process has written meanwhile.
    const seen = current && changesOf(db) === state ? { plans } : {};
    notes = (await holding(lock, () => updateAll(desk, { ...limits, ...seen }))).pending;
  } else if (notes === 0) desk.watch?.swept(start);
  return { db, waiting: notes, first: false };
}

/** How far an index is behind, as every answer tells it. */
export const freshnessOf = (desk: Desk, db: Database, notes: number): Freshness => ({
  fresh: notes === 0,
  pending: { notes, passages: desk.pending(db) },
});

async function updateAll(
  desk: Desk,
  options: RunOptions & { readonly deadline?: number; readonly plans?: readonly Plan[] },
): Promise<Report> {
  const db = opened(desk);
  migrate(db);
  // Said at once of an empty index, so that a killed first run is gone on with, not begun again.
  if (passageCount(db) === 0) setMeta(db, "format", formatOf(desk));
  if (options.force) for (const source of desk.sources) keepFolder(db, source);
  const recut = getMeta(db, "format") !== formatOf(desk);
  const report = await update(db, desk.sources, {
    ...options,
    wording: desk.wording,
    force: options.force === true || recut,
  });
  if (report.pending === 0) {
    setMeta(db, "format", formatOf(desk));
    setMeta(db, "indexed", new Date().toISOString());
  }
  return report;
}

/** Removes an index file, and a file of vectors, that cannot be opened or is not whole. Notes are elsewhere and stay. */
async function clearBroken(desk: Desk): Promise<void> {
  if (areVectorsBroken(desk.place.vectors)) {
    await desk.close();
    removeDatabase(desk.place.vectors);
  }
  let sound = false;
  try {
    const db = desk.database({ create: false });
    sound = db === undefined || isSound(db);
  } catch (error) {
    if (!(error instanceof GestaltError) || !["bad-index", "newer-index"].includes(error.code)) throw error;
  }
  if (sound) return;
  await desk.close();
  removeDatabase(desk.place.db);
}

async function holding<T>(lock: Lock, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    lock.release();
  }
}
