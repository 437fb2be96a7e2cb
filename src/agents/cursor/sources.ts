import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rules, skills } from "../install/texts.ts";
import { cursorRule, rewritten } from "./rule.ts";

/** A file that Cursor should have: `path` below the project, with `/`, and where it comes from. */
export type Wanted = { readonly path: string; readonly text: string; readonly from: string };

/** The rules and skills that the executable carries, as Cursor reads them. */
export const carried = (): readonly Wanted[] => [
  ...Object.entries(rules).map(([name, text]) => ({
    path: `.cursor/rules/${name}.mdc`,
    text: cursorRule(name, text),
    from: "gestalt",
  })),
  ...Object.entries(skills).map(([name, text]) => ({
    path: `.cursor/skills/${name}/SKILL.md`,
    text: rewritten(text),
    from: "gestalt",
  })),
];

/**
 * The rules and skills of a folder's `.claude/`, as Cursor reads them. Texts are rewritten; what is not UTF-8 is left out and
 * named in `passed`. Links are not followed.
 */
export function ownSources(folder: string): { readonly wanted: readonly Wanted[]; readonly passed: readonly string[] } {
  const wanted: Wanted[] = [];
  const passed: string[] = [];
  const take = (from: string, path: string, make: (text: string) => string) => {
    const text = textIn(join(folder, from));
    if (text === undefined) passed.push(from);
    else wanted.push({ path, text: make(text), from });
  };
  for (const path of filesIn(join(folder, ".claude/rules"))) {
    const name = path.replace(/\.md$/, "");
    if (path.endsWith(".md"))
      take(`.claude/rules/${path}`, `.cursor/rules/${name}.mdc`, (text) => cursorRule(name, text));
  }
  for (const path of filesIn(join(folder, ".claude/skills")))
    take(`.claude/skills/${path}`, `.cursor/skills/${path}`, path.endsWith(".md") ? rewritten : (text) => text);
  return { wanted, passed };
}

function textIn(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Paths of the plain files below a folder, sorted; none when there is no folder. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => lstatSync(join(folder, path)).isFile())
      .map((path) => path.replaceAll("\\", "/"))
      .sort();
  } catch {
    return [];
  }
}
