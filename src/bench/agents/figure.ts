import { percentile } from "../cost.ts";

/** One figure, of whole processes from start to exit or of calls to one that runs. Milliseconds and bytes. */
export type Figure = {
  readonly what: string;
  readonly command: string;
  readonly runs: number;
  readonly minMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** The most memory that one of the processes held; null where calls are timed. */
  readonly peakBytes: number | null;
  /** Runs that began while other processes had more than a tenth of the machine. */
  readonly noisy: number;
  /** What the median, and the peak, are promised to be at most; null where nothing is. */
  readonly promised: { readonly ms: number; readonly bytes: number | null };
};

/** A figure of some runs, in milliseconds. */
export const figureOf = (
  walls: readonly number[],
  rest: Omit<Figure, "runs" | "minMs" | "medianMs" | "maxMs">,
): Figure => ({
  ...rest,
  runs: walls.length,
  minMs: Math.min(...walls),
  medianMs: percentile(walls, 0.5),
  maxMs: Math.max(...walls),
});
