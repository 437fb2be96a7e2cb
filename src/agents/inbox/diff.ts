import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { Proposal } from "./proposal.ts";

/** A proposal against the note as it is now, as a unified diff. */
export function diffOf({ root, path, text }: Proposal): string {
  const file = join(root, path);
  const current = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const from = current === undefined ? "/dev/null" : path;
  const patch = createTwoFilesPatch(from, path, current ?? "", text, "", "", { context: 2 });
  return patch
    .split("\n")
    .slice(1)
    .join("\n")
    .replaceAll(/^((?:---|\+\+\+) .*)\t$/gm, "$1")
    .trimEnd();
}
