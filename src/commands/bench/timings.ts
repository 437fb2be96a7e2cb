import type { Timing } from "../../bench/timing.ts";
import { columns, megabytes } from "./tables.ts";

/**
 * Prints figures, and stores them as `file` in the folder `out` where one is named.
 *
 * @param size the heading of the column that says how much was there, and how to fill it
 */
export async function tellTimings<T extends Timing>(
  file: string,
  timings: readonly T[],
  { out, json }: { readonly out: string | undefined; readonly json: boolean },
  size: readonly [heading: string, of: (timing: T) => string],
): Promise<void> {
  const { withOrigin } = await import("./whole-processes.ts");
  const result = withOrigin({ timings }, file, out);
  if (json) {
    console.log(JSON.stringify(result));
    return;
  }
  const [heading, sizeOf] = size;
  const rows = timings.map((timing) => [
    timing.what,
    sizeOf(timing),
    milliseconds(timing.minMs),
    milliseconds(timing.medianMs),
    milliseconds(timing.cpuMs),
    megabytes(timing.peakBytes),
    timing.noisy === 0 ? String(timing.runs) : `${timing.runs} (${timing.noisy} noisy)`,
  ]);
  console.log(columns([["what", heading, "best", "median", "processor", "memory", "runs"], ...rows], 1));
}

const milliseconds = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
