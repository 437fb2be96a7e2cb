import { readFileSync } from "node:fs";

/**
 * The most memory that a process holds until it ends, in bytes. What the system says when it has ended will not do: there Linux
 * counts in what the process that started it held.
 */
export async function peakOf(child: Bun.Subprocess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakSoFar(child.pid));
    await Bun.sleep(1);
  }
  return peak === 0 ? (child.resourceUsage()?.maxRSS ?? 0) : peak;
}

/** The most memory that a process has held so far, in bytes; 0 when the system does not tell. */
export function peakSoFar(pid: number | "self"): number {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
