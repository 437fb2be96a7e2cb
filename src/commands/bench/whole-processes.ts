/** What the commands that measure the executable itself have in common. */
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Machine, machine } from "../../bench/machine.ts";
import { writeWhole } from "../../bench/whole.ts";
import { commandLine } from "./measure.ts";

/** The executable that runs this; run from its sources, the one that was built from them. */
export const thisProgram = (): string =>
  basename(process.execPath).startsWith("bun")
    ? join(import.meta.dir, "..", "..", "..", "dist", "gestalt")
    : process.execPath;

/** What was measured, with where and by which command; written into a folder when there is one. */
export function withOrigin<T extends object>(
  measured: T,
  name: string,
  folder: string | undefined,
): { readonly machine: Machine; readonly command: string } & T {
  const result = { machine: machine(), command: commandLine(), ...measured };
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeWhole(join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  }
  return result;
}
