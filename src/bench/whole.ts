import { renameSync, writeFileSync } from "node:fs";

/** Writes a file so that nobody ever sees half of it. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
