import { onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A new folder with these files in it, by relative path; gone when the test is. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = mkdtempSync(join(tmpdir(), "gestalt-bench-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

/** A new folder with one file; its path. */
export const fileWith = (content: string | Uint8Array): string => join(folderWith({ "data.txt": content }), "data.txt");
