import { isTerminal } from "./terminal.ts";

/** How often the bar is drawn anew, in milliseconds. */
const interval = 100;
const width = 24;

/**
 * A bar on stderr with count, rate and time left; nothing at all when stderr is no terminal. The rate is of this run and
 * of what is done now: it leaves out what was done before, and begins anew when the count does.
 */
export function progressBar(what: string): {
  readonly show: (done: number, total: number) => void;
  readonly done: () => void;
} {
  if (!isTerminal("stderr")) return { show: () => {}, done: () => {} };
  let begun = { at: performance.now(), done: Number.POSITIVE_INFINITY };
  let last = Number.POSITIVE_INFINITY;
  let drawn = 0;
  return {
    show(done, total) {
      const now = performance.now();
      if (done < last) begun = { at: now, done };
      last = done;
      if (now - drawn < interval && done < total) return;
      drawn = now;
      const rate = ((done - begun.done) / Math.max(1, now - begun.at)) * 1000;
      const full = Math.round((width * done) / Math.max(1, total));
      const left = rate > 0 ? duration((total - done) / rate) : "";
      process.stderr.write(
        `\r\x1b[K${what} ${"█".repeat(full)}${"░".repeat(width - full)} ${done}/${total}  ${Math.round(rate)}/s  ${left}`,
      );
    },
    done() {
      if (drawn > 0) process.stderr.write("\r\x1b[K");
    },
  };
}

/** Seconds as a person says them: `8 s left`, `3 min left`. */
const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.round(seconds / 60)} min left`;
