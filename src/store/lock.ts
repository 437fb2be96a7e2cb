import { Database, SQLiteError } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { explained } from "./open.ts";

/** Held by the one process that may write an index. */
export type Lock = { release(): void };

/**
 * Takes the writer's lock of an index, or says at once that another has it.
 *
 * The lock is SQLite's own on an empty file beside the index: the operating system drops it when its holder dies,
 * however it dies, and it works on every system that SQLite works on.
 *
 * @returns undefined when another process (or another call in this one) holds it
 */
export function tryLock(indexPath: string): Lock | undefined {
  const path = `${indexPath}.lock`;
  let db: Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new Database(path, { create: true, readwrite: true });
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    if (error instanceof SQLiteError && /BUSY|LOCKED/.test(error.code ?? "")) return undefined;
    throw explained(path, error);
  }
  const held = db;
  return {
    release() {
      held.run("ROLLBACK");
      held.close();
    },
  };
}

/**
 * Waits for the writer's lock, asking every 50 ms.
 *
 * @param waitMs how long, in milliseconds; 0 asks once
 * @param onWait called once, when the first try fails
 */
export async function waitForLock(indexPath: string, waitMs: number, onWait?: () => void): Promise<Lock | undefined> {
  const deadline = performance.now() + waitMs;
  let told = false;
  for (;;) {
    const lock = tryLock(indexPath);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) return undefined;
    if (!told) onWait?.();
    told = true;
    await Bun.sleep(50);
  }
}
