import type { Database } from "bun:sqlite";
import type { Embedded } from "../models/embed.ts";
import { tryLock, waitForLock } from "../store/lock.ts";
import { link, linkRows, type PendingText, pendingCount, pendingTexts, putVectors } from "../store/vectors.ts";
import type { Desk } from "./desk.ts";
import { embedOptions } from "./meaning.ts";

/** What became of the passages that had no vector. Counts are texts: passages and whole notes. */
export type Embedding = {
  readonly embedded: number;
  /** Passages whose vector was there: made for another vault, or by a run that was stopped. */
  readonly found: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
  /** Passages that still have none. */
  readonly pending: number;
};

export type EmbedRun = {
  /** A time on `performance.now()`'s clock after which no further text is begun. */
  readonly deadline?: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Milliseconds to wait for another process that embeds these notes; 0 leaves it to that one. */
  readonly wait?: number;
  readonly onWait?: (() => void) | undefined;
  /** In this thread, with the model that answers questions, however much there is to do. */
  readonly alone?: boolean;
  /** Threads at most, of about 55 MB each; a core each when unset. */
  readonly threads?: number;
  /** Asked after each text: whether to leave the rest for another time. */
  readonly isOver?: () => boolean;
};

/** Texts read from the index at once. */
const chunk = 4096;
/** Vectors stored at once: what a killed run loses. */
const batch = 32;

/**
 * Embeds what has no vector yet, newest notes first, and stores as it goes. Holds a lock of its own, so that words are
 * taken in and searched meanwhile. A text that fails is told of and tried again at the next run.
 */
export async function embedPending(desk: Desk, db: Database, run: EmbedRun = {}): Promise<Embedding> {
  const lockPath = `${desk.place.db}.vectors`;
  const lock = run.wait ? await waitForLock(lockPath, run.wait, run.onWait) : tryLock(lockPath);
  if (lock === undefined) return { embedded: 0, found: 0, failed: [], pending: pendingCount(db) };
  try {
    return await embedAll(desk, db, run);
  } finally {
    lock.release();
  }
}

async function embedAll(
  desk: Desk,
  db: Database,
  { deadline = Number.POSITIVE_INFINITY, onProgress, alone = false, threads, isOver }: EmbedRun,
): Promise<Embedding> {
  // Opening the model points passages at the vectors that are there.
  const waiting = pendingCount(db);
  const { model } = await desk.meaning();
  const failed = new Map<string, { path: string; reason: string }>();
  let embedded = 0;
  let found: number | undefined;
  for (;;) {
    // Another vault or checkout may have embedded the same texts since.
    link(db, model);
    found ??= Math.max(0, waiting - pendingCount(db));
    const texts = pendingTexts(db, chunk).filter(({ hex }) => !failed.has(hex));
    if (texts.length === 0 || performance.now() >= deadline || isOver?.()) break;
    const total = embedded + (texts.length < chunk ? texts.length : Math.max(texts.length, pendingCount(db)));
    let made: { readonly text: PendingText; readonly vector: Float32Array }[] = [];
    const store = () => {
      putVectors(
        db,
        model,
        made.map(({ text, vector }) => [text.key, vector] as const),
      );
      linkRows(
        db,
        model,
        made.map(({ text }) => text),
      );
      embedded += made.length;
      made = [];
      onProgress?.(embedded, Math.max(total, embedded));
    };
    for await (const result of vectorsOf(
      desk,
      texts.map(({ text }) => text),
      alone ? 1 : threads,
    )) {
      const asked = texts[result.index];
      if (asked === undefined) continue;
      if ("vector" in result) made.push({ text: asked, vector: result.vector });
      else failed.set(asked.hex, { path: asked.path, reason: result.failure });
      if (made.length >= batch) store();
      if (performance.now() >= deadline || isOver?.()) break;
    }
    store();
  }
  return { embedded, found, failed: [...failed.values()], pending: pendingCount(db) };
}

/** In this thread when little is to be done: the model is needed for the question anyway. Else on all cores. */
async function* vectorsOf(desk: Desk, texts: readonly string[], threads?: number): AsyncGenerator<Embedded> {
  if (threads === 1 || texts.length < 64) {
    yield* (await desk.meaning()).embedder.embedPassages(texts);
    return;
  }
  const { embedInParallel } = await import("../models/pool.ts");
  yield* embedInParallel(embedOptions(desk), texts, { workers: threads });
}
