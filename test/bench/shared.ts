import { test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../../../shared/data");

/**
 * A path of the shared data, and a `test` that is skipped, with the reason in its name, where the data is not at hand.
 */
export function shared(...parts: readonly string[]) {
  const path = join(root, ...parts);
  const there = existsSync(path);
  const named = (name: string): string => (there ? name : `${name} (skipped: ${path} is not at hand)`);
  return {
    path,
    test: (name: string, run: () => void | Promise<void>, limit?: number) =>
      test.skipIf(!there)(named(name), run, limit),
  };
}
