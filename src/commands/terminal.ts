import { fstatSync, statSync } from "node:fs";
import { wantsColour } from "../settings.ts";

/**
 * Whether a standard stream is a terminal. What is no device, and the null device, is known to be none without a look at
 * `process.stdout`: to make that stream costs a short command a tenth of its time and of its memory.
 */
export function isTerminal(stream: "stdout" | "stderr"): boolean {
  if (process.platform !== "win32") {
    const found = fstatSync(stream === "stdout" ? 1 : 2);
    if (!found.isCharacterDevice() || found.rdev === statSync("/dev/null").rdev) return false;
  }
  return process[stream].isTTY === true;
}

/** Whether what goes to stdout is to be coloured. */
export const inColour = (): boolean => wantsColour({ isTTY: isTerminal("stdout") });
