import { type FSWatcher, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Knows, between sweeps, whether anything has changed on disk. */
export type Watch = {
  /** Whether a sweep now would find what the last one left: nothing to do. */
  quiet(): Promise<boolean>;
  /** A sweep that began at `start` (on `performance.now()`'s clock) left nothing to do. */
  swept(start: number): void;
  /** Resolves at the next change, as far as the system tells of it. */
  changed(): Promise<void>;
  close(): void;
};

/** Milliseconds after an event in which Bun may keep back another of the same file. */
const settle = 50;
/** Milliseconds after which a sweep is due in any case: not every file system tells of every change. */
const longest = 60_000;
/** Milliseconds to wait for the watchers to show that they are up to date. */
const patience = 20;

/**
 * Watches folders and all below them, from the first question to it on.
 *
 * Events come from another thread, so a file written just now may not have been told of yet. Before it says "quiet" it
 * renames a file of its own and waits for that file's event: one queue carries both, in their order. Whenever it cannot be
 * sure (no event in time, a watcher that failed, a change a blink ago) it says no, and the caller looks for itself.
 *
 * @param own a folder for such files of all processes, made when needed
 * @see https://facebook.github.io/watchman/docs/cookies for the same with watchman
 */
export function watchFolders(roots: readonly string[], own: string): Watch {
  const watchers: FSWatcher[] = [];
  const echo = echoIn(own);
  let broken = false;
  let begun = false;
  let told = Promise.withResolvers<void>();
  let lastChange = Number.POSITIVE_INFINITY;
  let clean = Number.NEGATIVE_INFINITY;
  const start = (path: string, recursive: boolean, onEvent: (name: string) => void): void => {
    const watcher = watch(path, { recursive, persistent: false }, (_, name) => onEvent(String(name ?? "")));
    watcher.on("error", () => {
      broken = true;
    });
    watchers.push(watcher);
  };
  const noteChange = (name: string): void => {
    if (isInsideHidden(name)) return;
    lastChange = performance.now();
    told.resolve();
    told = Promise.withResolvers();
  };
  const begin = (): void => {
    if (broken) return;
    try {
      start(echo.open(), false, echo.onEvent);
      for (const root of roots) start(root, true, noteChange);
    } catch {
      broken = true;
    }
    lastChange = performance.now();
  };

  /** Going through a large tree takes a while, and the first question is not to wait for it. */
  const beginSoon = (): void => {
    begun = true;
    setTimeout(begin, 0);
  };

  /**
   * Whether all that happened until now has been told of. Events that were read together are told of folder by folder, so one
   * file's event may overtake another; a second one, caused when the first has been told of, comes after all of them.
   */
  const caughtUp = async (): Promise<boolean> => (await echo.heard()) && (await echo.heard());

  const clear = (): boolean => !broken && clean > lastChange + settle && performance.now() - clean < longest;
  return {
    async quiet() {
      if (begun) return clear() && (await caughtUp()) && clear();
      beginSoon();
      return false;
    },
    swept(start) {
      clean = Math.max(clean, start);
    },
    changed() {
      if (!begun) beginSoon();
      return told.promise;
    },
    close() {
      for (const watcher of watchers) watcher.close();
      echo.close();
      broken = true;
    },
  };
}

/**
 * Renames a file, and waits for the event of that. In a folder of this watch alone: twenty sessions would wake each other at every
 * question. A new name each time, since an event may come late.
 */
function echoIn(own: string) {
  const awaited = new Map<string, () => void>();
  let folder: string | undefined;
  let count = 0;
  const at = (name: number): string => join(folder ?? own, String(name));
  return {
    open(): string {
      mkdirSync(own, { recursive: true, mode: 0o700 });
      for (const left of readdirSync(own)) if (!isAlive(Number.parseInt(left, 10))) remove(join(own, left));
      folder = mkdtempSync(join(own, `${process.pid}-`));
      writeFileSync(at(count), "");
      return folder;
    },
    onEvent: (name: string): void => awaited.get(name)?.(),
    async heard(): Promise<boolean> {
      const name = String(count + 1);
      try {
        const seen = Promise.withResolvers<boolean>();
        awaited.set(name, () => seen.resolve(true));
        renameSync(at(count), at(count + 1));
        count += 1;
        return await Promise.race([seen.promise, Bun.sleep(patience).then(() => false)]);
      } catch {
        return false;
      } finally {
        awaited.delete(name);
      }
    },
    close: () => folder !== undefined && remove(folder),
  };
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A change below a hidden folder, which no sweep enters: `.git/index`, `.obsidian/workspace.json`. */
const isInsideHidden = (name: string): boolean => /(?:^|[/\\])\.[^/\\]+[/\\]/.test(name);
