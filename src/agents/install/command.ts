import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { quoted } from "../quoted.ts";

/**
 * The program to write into settings: `gestalt` when that name leads to this very executable, else its real path. Run from
 * source it is the bare name.
 */
export function ownProgram(execPath = process.execPath, which: (name: string) => string | null = Bun.which): string {
  if (/^bun(x|-\w+)?(\.exe)?$/.test(basename(execPath))) return "gestalt";
  const real = realpathSync(execPath);
  const found = which("gestalt");
  return found !== null && realpathSync(found) === real ? "gestalt" : real;
}

/** A program and its arguments as one line of a shell. */
export const shellLine = (program: string, args: readonly string[], platform = process.platform): string =>
  [/^[\w./:@%+-]+$/.test(program) ? program : platform === "win32" ? `"${program}"` : quoted(program), ...args].join(
    " ",
  );

const isGestalt = (path: string): boolean => /^gestalt(-[a-z0-9-]+)?(\.exe)?$/i.test(path.replace(/^.*[\\/]/, ""));
const hookLine = /^(?:"([^"]+)"|'((?:[^']|'\\'')+)'|(\S+)) hook [a-z-]+$/;

/** Whether a hook's handler starts gestalt, in exec form or as a shell line, wherever the program lies. */
export function isOurHook(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("command" in value)) return false;
  const { command } = value;
  if (typeof command !== "string") return false;
  if ("args" in value && Array.isArray(value.args)) return value.args[0] === "hook" && isGestalt(command);
  const [, double, single, bare] = hookLine.exec(command) ?? [];
  const program = double ?? single ?? bare;
  return program !== undefined && isGestalt(program);
}

/** Whether a server's entry starts `gestalt mcp`. */
export function isOurServer(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("command" in value) || !("args" in value)) return false;
  return (
    typeof value.command === "string" &&
    isGestalt(value.command) &&
    Array.isArray(value.args) &&
    value.args[0] === "mcp"
  );
}
