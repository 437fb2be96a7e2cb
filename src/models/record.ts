import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sizeOf } from "./disk.ts";

/** What was placed in a model's folder: path → what its bytes were when they were checked. */
export type PlacedFile = { readonly sha256: string; readonly bytes: number };
export type PlacedFiles = Readonly<Record<string, PlacedFile>>;

const name = "placed.json";

/** The record of a model's folder; empty when there is none that can be read. */
export function readRecord(folder: string): PlacedFiles {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).filter((entry): entry is [string, PlacedFile] => isPlacedFile(entry[1])),
        )
      : {};
  } catch {
    return {};
  }
}

/** Replaces the record, whole or not at all. */
export function writeRecord(folder: string, files: PlacedFiles): void {
  const temporary = join(folder, `.${name}.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify(files, null, 2)}\n`);
  renameSync(temporary, join(folder, name));
}

/** Whether that file of a model's folder was checked when it was placed, and still has that length. */
export function isPlaced(folder: string, path: string, record: PlacedFiles = readRecord(folder)): boolean {
  const bytes = record[path]?.bytes;
  return bytes !== undefined && bytes === sizeOf(join(folder, path));
}

const isPlacedFile = (value: unknown): value is PlacedFile =>
  typeof value === "object" &&
  value !== null &&
  "sha256" in value &&
  typeof value.sha256 === "string" &&
  "bytes" in value &&
  typeof value.bytes === "number";
