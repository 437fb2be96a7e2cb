import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** A fresh folder. A test file that makes some ends with `afterAll(clearTemporary)`. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "gestalt-models-"));
  made.push(folder);
  return folder;
}

/** Deletes every folder made so far. */
export function clearTemporary(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
