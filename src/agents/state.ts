import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordOf } from "./hooks/input.ts";

/**
 * What hooks remember between runs, in a folder of the user's alone. Lines of JSON, each written by one call that appends:
 * several hooks may write at once, and a line that was cut off is passed over.
 */
export type State = { readonly folder: string };

export const sessionsFolder = ({ folder }: State): string => join(folder, "sessions");
export const recordsFolder = ({ folder }: State): string => join(folder, "records");
export const faultsFile = ({ folder }: State): string => join(folder, "faults.jsonl");

/** A session's name as a file name: itself when it is plain, else a hash of it. */
export const fileNameOf = (session: string): string =>
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(session) ? session : `x${hashOf(session)}`;

/** What stands for a text in a log: 16 hexadecimal digits of its SHA-256. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Appends one line. */
export function appendLine(file: string, entry: Readonly<Record<string, unknown>>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** The objects in a file of lines; none when there is no file. */
export function readLines(file: string): Readonly<Record<string, unknown>>[] {
  return (readIfThere(file) ?? "").split("\n").flatMap((line): Readonly<Record<string, unknown>>[] => {
    try {
      const entry = recordOf(JSON.parse(line));
      return entry === undefined ? [] : [entry];
    } catch {
      return [];
    }
  });
}

/** A file's text; undefined when it cannot be read. A pipe is none: who opens one waits for its other end. */
export function readIfThere(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** The names in a folder; none when there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Writes a file whole, for the user alone. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Removes what was last written more than `days` ago. */
export function prune(folder: string, days: number, now: Date): void {
  const oldest = now.getTime() - days * 86_400_000;
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) rmSync(file, { force: true });
  }
}
