import type { Database } from "bun:sqlite";
import { CryptoHasher } from "bun";
import { messageOf } from "../errors.ts";
import type { NoteSource } from "../notes/source.ts";
import { mergeWords, putNote, removeNote, touchNote, type Wording } from "../store/notes.ts";
import { keepVaults } from "../store/vaults.ts";
import type { Entry, Skip, Warning } from "../types.ts";
import { lasting } from "./lasting.ts";
import { keepFolder, keepSeen, type Plan, planAll, waiting } from "./plan.ts";

/** What an index run did. Counts are notes. */
export type Report = {
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: readonly (Skip & { readonly vault: string })[];
  readonly warnings: readonly (Warning & { readonly vault: string })[];
  /** Notes left for the next run because the time was up. */
  readonly pending: number;
  readonly seconds: number;
};

export type UpdateOptions = {
  /** Reads every note anew, whatever its stat says. */
  readonly force?: boolean;
  /** A time on `performance.now()`'s clock after which no further batch begins; the newest notes go first. */
  readonly deadline?: number;
  readonly wording?: Wording;
  /** What is to be done, where that is known already. */
  readonly plans?: readonly Plan[];
  readonly onProgress?: (done: number, total: number) => void;
};

/** Milliseconds after which a file system's clock has moved on: a later save then shows in the note's stat. */
const tick = 15;

/** Notes in one transaction: enough that commits cost little, few enough that a killed run loses a blink of work. */
const batchSize = 128;

/** The share of the notes from which on a run is worth merging all words after it. */
const bulk = 0.1;

type Tally = { -readonly [K in keyof Report]: Report[K] extends readonly (infer T)[] ? T[] : Report[K] };

/** Brings the rows of `sources` up to what the disk says, one transaction per batch. Call it under the writer's lock. */
export async function update(
  db: Database,
  sources: readonly NoteSource[],
  options: UpdateOptions = {},
): Promise<Report> {
  const start = performance.now();
  keepVaults(
    db,
    sources.map(({ root }) => root),
  );
  const plans = options.plans ?? planAll(db, sources, options.force);
  for (const { source, touched, unchanged } of plans) if (touched.length + unchanged > 0) keepFolder(db, source);
  const tally: Tally = {
    added: 0,
    changed: 0,
    moved: 0,
    removed: 0,
    unchanged: 0,
    skipped: [],
    warnings: [],
    pending: waiting(plans),
    seconds: 0,
  };
  const total = tally.pending;
  if (total > batchSize) lasting(db);
  if (options.deadline === undefined || performance.now() < options.deadline) await settle(plans);
  const run = async (size: number, step: () => void) => {
    if (options.deadline !== undefined && performance.now() >= options.deadline) return;
    db.transaction(step).immediate();
    tally.pending -= size;
    options.onProgress?.(total - tally.pending, total);
    await Bun.sleep(0);
  };

  const read: Plan[] = [];
  for (const plan of plans) {
    if (plan.touched.length + plan.gone.length > 0) keepSeen(db, plan.source, undefined);
    tally.unchanged += plan.unchanged;
    tally.skipped.push(...plan.skipped.map((skip) => ({ ...skip, vault: plan.source.name })));
    const passedOver = tally.skipped.length;
    const queue =
      options.deadline === undefined ? plan.touched : plan.touched.toSorted((a, b) => b.stat.mtime - a.stat.mtime);
    const fresh = new Set<string>();
    for (let at = 0; at < queue.length; at += batchSize) {
      const batch = queue.slice(at, at + batchSize);
      await run(batch.length, () => {
        for (const entry of batch) writeNote(db, plan, entry, options.wording ?? "ours", tally, fresh);
      });
    }
    if (plan.gone.length > 0) await run(plan.gone.length, () => prune(db, plan, tally, fresh));
    if (tally.skipped.length === passedOver) read.push(plan);
  }
  if (tally.pending === 0) for (const { source, seen } of read) keepSeen(db, source, seen);
  if (tally.pending === 0 && total > Math.max(batchSize, bulk * (total + tally.unchanged))) mergeWords(db);
  return { ...tally, seconds: (performance.now() - start) / 1000 };
}

/**
 * Waits until no note is as young as a tick. A note read in the tick of its last save could be saved again, to the same
 * length, and look untouched ever after.
 */
async function settle(plans: readonly Plan[]): Promise<void> {
  const now = Date.now();
  let wait = 0;
  for (const { touched } of plans)
    for (const { stat } of touched) if (stat.mtime <= now + tick) wait = Math.max(wait, stat.mtime + tick - now);
  if (wait > 0) await Bun.sleep(Math.ceil(wait));
}

/** Reads one note and stores it; a note that cannot be read is reported, and what the index has of it stays. */
function writeNote(db: Database, plan: Plan, entry: Entry, wording: Wording, tally: Tally, fresh: Set<string>): void {
  const { source, vault } = plan;
  const known = plan.known.get(entry.path);
  let bytes: Uint8Array;
  try {
    bytes = source.read(entry.path);
  } catch (error) {
    tally.skipped.push({ path: entry.path, reason: messageOf(error), vault: source.name });
    return;
  }
  const hash = new CryptoHasher("sha256").update(bytes).digest("hex");
  if (known?.hash === hash && !plan.forced) {
    touchNote(db, known.id, entry.stat);
    tally.unchanged++;
    return;
  }
  const note = source.parse(entry.path, bytes);
  if (known !== undefined) removeNote(db, known.id);
  putNote(db, vault, entry.stat, hash, note, wording);
  tally.warnings.push(...note.warnings.map((warning) => ({ ...warning, vault: source.name })));
  if (known === undefined) fresh.add(hash);
  if (known === undefined) tally.added++;
  else if (known.hash === hash) tally.unchanged++;
  else tally.changed++;
}

/** Drops notes that are gone; one whose bytes came back under another path was moved. */
function prune(db: Database, plan: Plan, tally: Tally, fresh: Set<string>): void {
  for (const path of plan.gone) {
    const known = plan.known.get(path);
    if (known === undefined) continue;
    removeNote(db, known.id);
    if (fresh.delete(known.hash)) {
      tally.moved++;
      tally.added--;
    } else tally.removed++;
  }
}
