import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Ignore } from "ignore";
import { messageOf } from "../errors.ts";

/**
 * The ignore rules in force in one folder. Patterns are rewritten to be relative to `top`, the root of the repository (or
 * of the vault outside of one), outermost first, so that the last that matches wins, as in git. `own` comes after `git`:
 * `.gestaltignore` has the last word.
 */
export type Rules = {
  /** From `top` to the vault: `""`, or a path that ends in `/`. */
  readonly base: string;
  readonly git: readonly string[];
  readonly own: readonly string[];
  readonly matcher: Ignore | undefined;
};

/** The files that hold rules. */
export const ignoreFiles: ReadonlySet<string> = new Set([".gitignore", ".gestaltignore"]);

type Report = (name: string, reason: string) => void;

const none: Rules = { base: "", git: [], own: [], matcher: undefined };

/**
 * The rules that folders above the vault set for it, up to the root of the repository it lies in. None when they name the
 * vault itself: whoever points at an ignored folder means it.
 *
 * @param root real path of the vault, with `/` between the parts
 */
export function rulesAbove(root: string): Rules {
  const top = repositoryOf(root);
  if (top === undefined || top === root) return none;
  const base = `${root.slice(top.length).replace(/^\//, "")}/`;
  let rules: Rules = { ...none, base };
  for (let at = top, path = ""; at !== root; ) {
    const here = [...ignoreFiles].filter((name) => statSync(`${at}/${name}`, { throwIfNoEntry: false })?.isFile());
    rules = withRules(rules, at, path, here, () => undefined);
    const rest = root.slice(at.length).replace(/^\//, "");
    const next = rest.split("/")[0] ?? rest;
    path = `${path}${next}/`;
    at = `${at.replace(/\/$/, "")}/${next}`;
  }
  return rules.matcher?.ignores(base) ? none : rules;
}

/**
 * The rules inside a folder that holds the ignore files `names`.
 *
 * @param folder where it is on disk
 * @param path from `top` to it: `""`, or a path that ends in `/`
 * @param report told of a file that cannot be read; its rules then do not hold
 */
export function withRules(rules: Rules, folder: string, path: string, names: readonly string[], report: Report): Rules {
  if (names.length === 0) return rules;
  const read = (name: string): string[] => {
    if (!names.includes(name)) return [];
    try {
      return patterns(readFileSync(`${folder}/${name}`, "utf8"), path);
    } catch (error) {
      report(name, `its rules do not hold, it cannot be read (${messageOf(error)})`);
      return [];
    }
  };
  const git = [...rules.git, ...read(".gitignore")];
  const own = [...rules.own, ...read(".gestaltignore")];
  return { base: rules.base, git, own, matcher: matcherOf([...git, ...own]) };
}

/** Whether the rules leave out `path`, relative to the vault; a folder's path ends in `/`. */
export const ignores = (rules: Rules, path: string): boolean => rules.matcher?.ignores(rules.base + path) ?? false;

function matcherOf(all: readonly string[]): Ignore | undefined {
  if (all.length === 0) return undefined;
  // Loaded late: most vaults have no such file, and a search waits for this module.
  const ignore: typeof import("ignore") = require("ignore");
  return ignore({ ignoreCase: process.platform === "win32" || process.platform === "darwin" }).add(all);
}

function repositoryOf(root: string): string | undefined {
  for (let at = root; ; at = dirname(at)) {
    if (statSync(`${at}/.git`, { throwIfNoEntry: false }) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The patterns of one ignore file, made relative to `top`. A pattern without a slash inside holds at any depth. */
function patterns(text: string, path: string): string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (path === "") return lines;
  const folder = path.replace(/[\\*?[]/g, "\\$&");
  return lines.map((line) => {
    const negated = line.startsWith("!");
    const pattern = negated ? line.slice(1) : line;
    const anchored = pattern.trimEnd().replace(/\/$/, "").includes("/");
    return `${negated ? "!" : ""}/${folder}${anchored ? pattern.replace(/^\//, "") : `**/${pattern}`}`;
  });
}
