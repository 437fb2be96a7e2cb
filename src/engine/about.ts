import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { Glob } from "bun";
import { linksTo, notesWithPaths, passageAt } from "../store/recall.ts";
import type { Desk } from "./desk.ts";
import { openPatiently, type RecalledSection, recalledPassages } from "./recall.ts";

/** Sections that are given at most. */
const most = 5;

/**
 * The sections that say of themselves that they are about a file: a glob of the note's `paths:` matches it, or a link in them
 * leads to it. A note is about no other note here: that is what links are for.
 *
 * @param file an absolute path
 * @param project the folder that globs and links are relative to
 */
export async function about(desk: Desk, file: string, project: string): Promise<readonly RecalledSection[]> {
  const db = openPatiently(desk);
  const within = relative(project, file).split(sep).join("/");
  if (db === undefined || desk.sources.some(({ root }) => isBelow(root, file))) return [];
  const inside = within !== "" && !within.startsWith("..") && !isAbsolute(within);
  const byGlob = inside
    ? notesWithPaths(db)
        .filter(({ patterns }) => patterns.some((pattern) => fits(pattern, within)))
        .map(({ note }) => passageAt(db, note, 1))
    : [];
  const roots = desk.sources.map(({ root }) => root);
  const byLink = linksTo(db, within.slice(within.lastIndexOf("/") + 1))
    .filter(({ path, target }) => leadsTo(target, [project, ...roots.map((root) => resolve(root, path, ".."))], file))
    .map(({ note, line }) => passageAt(db, note, line));
  const ids = [...new Set([...byGlob, ...byLink])].filter((id) => id !== undefined);
  return recalledPassages(desk, db, ids.slice(0, most));
}

/** Whether a file lies in a folder. Both are absolute. */
export const isBelow = (folder: string, file: string): boolean =>
  file.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** A glob may name a folder, and may begin with `./` or `/` for the project. */
function fits(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, "");
  return plain !== "" && [plain, `${plain.replace(/\/$/, "")}/**`].some((glob) => new Glob(glob).match(path));
}

const leadsTo = (target: string, folders: readonly string[], file: string): boolean =>
  folders.some((folder) => join(folder, target.replace(/^\//, "")) === file || resolve(folder, target) === file);
