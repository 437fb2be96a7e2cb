import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import { GestaltError } from "../errors.ts";
import type { Entry, Skip } from "../types.ts";
import { ignoreFiles, ignores, type Rules, rulesAbove, withRules } from "./ignore.ts";
import type { Sweep } from "./source.ts";

/**
 * Bytes. Larger files are data with a Markdown name: a long book is 2 MB, and parsing needs many times the size in memory.
 */
export const largestNote = 8 * 1024 * 1024;

type Link = { readonly path: string; readonly rules: Rules };

type Walk = {
  readonly root: string;
  readonly entries: Entry[];
  readonly skipped: Skip[];
  /** Looked at after all else: what a link leads to may be found without it. */
  readonly links: Link[];
  /** Real paths of the folders met so far, and once links are followed of the notes: without a link none is met twice. */
  readonly seen: Set<string>;
  linking: boolean;
};

/**
 * Every Markdown file below `root`. Hidden files and folders, `node_modules` and what the ignore files name are left out
 * in silence; all else that is passed over is in `skipped`.
 *
 * @param root as `realPath` gives it
 * @throws GestaltError `no-vault` when the root itself cannot be read: an unmounted disk is not an empty vault
 */
export function sweep(root: string): Sweep {
  const walk: Walk = { root, entries: [], skipped: [], links: [], seen: new Set(), linking: false };
  const names = namesIn(root);
  if (typeof names === "string")
    throw new GestaltError("no-vault", `the folder ${root} ${names}`, "check that it exists and may be read");
  enter(walk, root, "", names, rulesAbove(root));
  if (walk.links.length > 0) {
    walk.linking = true;
    for (const { path } of [...walk.entries, ...walk.skipped])
      if (isMarkdown(path)) walk.seen.add(prefixOf(root) + path);
    walk.links.sort(byPath);
    for (const link of walk.links) note(walk, link.path, follow(walk, link));
    walk.entries.sort(byPath);
  }
  return { entries: walk.entries, skipped: walk.skipped };
}

type Placed = { readonly path: string };
const byPath = (a: Placed, b: Placed): number => (a.path < b.path ? -1 : 1);

/** The path with every link resolved, `/` between the parts on every system. Throws as the file system does. */
export const realPath = (path: string): string => posix(realpathSync(path));

const prefixOf = (folder: string): string => (folder.endsWith("/") ? folder : `${folder}/`);

const posix = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));

const isMarkdown = (name: string): boolean => /\.(?:md|markdown)$/i.test(name);

const isHidden = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/** Goes through one folder: `folder` is where it is, `path` its name in the vault, `""` or ending in `/`. */
function enter(walk: Walk, folder: string, path: string, names: readonly Dirent[], outer: Rules): void {
  walk.seen.add(folder);
  const ruleFiles = names.filter((entry) => ignoreFiles.has(entry.name) && entry.isFile()).map((entry) => entry.name);
  const rules = withRules(outer, folder, outer.base + path, ruleFiles, (name, reason) =>
    walk.skipped.push({ path: path + name, reason }),
  );
  const wanted: string[] = [];
  const links: Link[] = [];
  for (const entry of names) {
    if (isHidden(entry.name)) continue;
    const kind = kindOf(entry, folder);
    if (kind === "folder") wanted.push(`${entry.name}/`);
    else if (kind === "link") links.push({ path: path + entry.name, rules });
    else if (isMarkdown(entry.name)) wanted.push(entry.name);
  }
  walk.links.push(...links.sort(byPath));
  // A folder sorts as its paths do, with the slash: so the whole comes out in path order.
  const prefix = prefixOf(folder);
  for (const name of wanted.sort()) {
    const place = path + name;
    if (ignores(rules, place)) continue;
    const real = prefix + name;
    const isFolder = name.endsWith("/");
    note(walk, place, isFolder ? folderAt(walk, real.slice(0, -1), place, rules) : fileAt(walk, real, place));
  }
}

/** Why a folder was passed over, undefined when it was not. */
function folderAt(walk: Walk, real: string, path: string, rules: Rules): string | undefined {
  if (walk.seen.has(real)) return twice;
  const names = namesIn(real);
  if (typeof names === "string") return names;
  enter(walk, real, path, names, rules);
  return isMarkdown(path.slice(0, -1)) ? "is a folder, not a note; the notes in it are taken" : undefined;
}

/** Why a file was passed over, undefined when it was not. */
function fileAt(walk: Walk, real: string, path: string): string | undefined {
  if (walk.seen.has(real)) return twice;
  if (walk.linking) walk.seen.add(real);
  const stat = statOf(real);
  if (typeof stat === "string") return stat;
  if (!stat.isFile()) return "is not a regular file";
  if (stat.size > largestNote) return `is larger than ${largestNote / 1024 / 1024} MB`;
  walk.entries.push({ path, stat: { mtime: stat.mtimeMs, size: stat.size, ino: stat.ino } });
  return undefined;
}

const twice = "is in the vault already, by another way";

/** A link is followed when it leads to a place inside the root that the sweep has not met; else, why not. */
function follow(walk: Walk, { path, rules }: Link): string | undefined {
  if (ignores(rules, path)) return undefined;
  const prefix = prefixOf(walk.root);
  let real: string;
  try {
    real = realPath(prefix + path);
  } catch (error) {
    return `is a link that leads nowhere (${reasonOf(error)})`;
  }
  const stat = statOf(real);
  if (typeof stat === "string") return stat;
  const folder = stat.isDirectory();
  if (folder ? ignores(rules, `${path}/`) : !isMarkdown(path)) return undefined;
  if (real !== walk.root && !real.startsWith(prefix)) return `is a link out of the vault, to ${real}`;
  const place = real.slice(prefix.length) || "the vault itself";
  if (walk.seen.has(real)) return `is a link to ${place}, which is in the vault already`;
  return folder ? folderAt(walk, real, `${path}/`, rules) : fileAt(walk, real, path);
}

function note(walk: Walk, path: string, reason: string | undefined): void {
  if (reason === undefined) return;
  const unreadable = /^(?:may not|cannot) be read/.test(reason);
  walk.skipped.push({ path, reason, ...(unreadable ? { unreadable } : {}) });
}

function namesIn(folder: string): Dirent[] | string {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return reasonOf(error);
  }
}

function statOf(file: string): Stats | string {
  try {
    return statSync(file);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Some file systems do not tell the kind with the name. */
function kindOf(entry: Dirent, folder: string): "folder" | "link" | "other" {
  if (entry.isFile()) return "other";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  const stat = statOf(`${folder}/${entry.name}`);
  return typeof stat !== "string" && stat.isDirectory() ? "folder" : "other";
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist any more"],
  ["EACCES", "may not be read by this user"],
  ["EPERM", "may not be read by this user"],
  ["EISDIR", "is a folder, not a note"],
  ["ENOTDIR", "is not a folder"],
  ["ELOOP", "goes round in circles"],
]);

/** Why the file system said no, as the end of a sentence that begins with the file's name. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons.get(code) ?? `cannot be read (${code || String(error)})`;
}
