import { cpus } from "node:os";

/** Processor shares below this count as quiet. */
const BUSY = 0.1;
/** Longest wait for a quiet moment before a run, in milliseconds. */
const PATIENCE = 3_000;

/** Waits until the machine does little else; false when it does not come to that in time. */
export async function quietMoment(patience = PATIENCE): Promise<boolean> {
  const end = performance.now() + patience;
  do {
    if ((await busyShare(150)) <= BUSY) return true;
  } while (performance.now() < end);
  return false;
}

/** The share of the processors' time that was used in the next milliseconds, in [0, 1]. */
async function busyShare(milliseconds: number): Promise<number> {
  const before = processorTimes();
  await Bun.sleep(milliseconds);
  const after = processorTimes();
  return (after.busy - before.busy) / Math.max(1, after.all - before.all);
}

function processorTimes(): { readonly busy: number; readonly all: number } {
  let [busy, all] = [0, 0];
  for (const { times } of cpus()) {
    const total = times.user + times.nice + times.sys + times.idle + times.irq;
    all += total;
    busy += total - times.idle;
  }
  return { busy, all };
}
