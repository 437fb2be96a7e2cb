/** Work that waits in order, one piece at a time. */
export type Queue = {
  /** Takes a piece of work, or says no when too many wait. What is no longer wanted when its turn comes is passed over. */
  add(work: () => Promise<void>, isWanted: () => boolean): boolean;
  /** Pieces that wait or are being done. */
  size(): number;
  /** Resolves when there is nothing to do. */
  empty(): Promise<void>;
};

/** @param limit how many may wait */
export function openQueue(limit: number): Queue {
  const waiting: { readonly work: () => Promise<void>; readonly isWanted: () => boolean }[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // A fault is the asker's to hear of; the next in line has no part in it.
      if (next.isWanted()) await next.work().catch(() => {});
      // Lets what has come in meanwhile be read, so that those who have left are known.
      await Bun.sleep(0);
    }
    running = undefined;
  };
  return {
    add(work, isWanted) {
      if (waiting.length >= limit) return false;
      waiting.push({ work, isWanted });
      running ??= run();
      return true;
    },
    size: () => waiting.length + (running === undefined ? 0 : 1),
    async empty() {
      while (running !== undefined) await running;
    },
  };
}
