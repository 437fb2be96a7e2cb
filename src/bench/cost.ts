import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a trial cost. Bytes and milliseconds; null where there is nothing of the kind, or nobody can say. `peakBytes` is
 * the most memory that the process held in that trial (since its own start, on systems other than Linux).
 */
export type Cost = {
  readonly indexSeconds: number | null;
  readonly documentsPerSecond: number | null;
  readonly queryP50: number;
  readonly queryP95: number;
  readonly peakBytes: number;
  readonly indexBytes: number;
  readonly modelBytes: number | null;
  readonly device: string | null;
};

/**
 * The value that a share of all values does not pass, by the nearest-rank method.
 *
 * @param share above 0, at most 1
 * @throws RangeError for no values
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new RangeError("no values to take a percentile of");
  return value;
}

/** Starts the count of `peakBytes` anew, where the system can. */
export function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Then the peak is that of the whole process.
  }
}

/** The most memory that this process has held at once, in bytes. */
export function peakBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // No such file outside Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

/** Bytes of all files below a folder. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
