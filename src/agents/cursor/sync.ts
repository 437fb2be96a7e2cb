import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { GestaltError } from "../../errors.ts";
import { clients, type Site } from "../install/clients.ts";
import { look, removeEmpty, write } from "../install/files.ts";
import { hashOf } from "../install/receipts.ts";
import { listPath } from "./context.ts";
import { carried, ownSources, type Wanted } from "./sources.ts";

/** Where Cursor's copy stands against its sources. Paths are relative to the project. */
export type CursorState = {
  readonly missing: readonly string[];
  /** Written by an earlier run, from a source that has changed since. */
  readonly stale: readonly string[];
  /** Written by an earlier run, from a source that is gone. */
  readonly extra: readonly string[];
  /** Not written by us, or edited since: never touched. */
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  readonly same: readonly string[];
  /** Sources that cannot be read as text. */
  readonly passed: readonly string[];
};

/** What earlier runs wrote: path → SHA-256 of the text. It is kept in `listPath`, so that everybody's copy agrees. */
type List = ReadonlyMap<string, string>;

type Work = {
  readonly state: CursorState;
  readonly writes: readonly Wanted[];
  readonly removals: readonly string[];
  readonly list: List;
};

/** Compares Cursor's rules, skills, hooks and servers with their sources. `from`: a folder whose own `.claude/` counts too. */
export const checkCursor = (site: Site, from: string | undefined): CursorState => compare(site, from).state;

/** Brings Cursor's copy up to its sources. Twice changes nothing. Returns what was found before. */
export function writeCursor(site: Site, from: string | undefined): CursorState {
  const { state, writes, removals, list } = compare(site, from);
  for (const { path, text } of writes) write(look(join(site.project, path), site.project).real, text);
  for (const path of removals) {
    rmSync(join(site.project, path), { force: true });
    removeEmpty([dirname(join(site.project, path))]);
  }
  const text = listText(list);
  const file = join(site.project, listPath);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) write(look(file, site.project).real, text);
  return state;
}

function compare(site: Site, from: string | undefined): Work {
  const own = from === undefined ? { wanted: [], passed: [] } : ownSources(from);
  const claimed = new Set(own.wanted.map(({ path }) => path));
  const whole = [...own.wanted, ...carried().filter(({ path }) => !claimed.has(path))];
  const known = readList(site);
  const found = { missing: [] as string[], stale: [] as string[], same: [] as string[] };
  const kept: { path: string; why: string }[] = [];
  const writes: Wanted[] = [];
  const list = new Map<string, string>();
  for (const wanted of whole) {
    const { path, text } = wanted;
    const now = lookAt(site, path, kept);
    if (now === null) continue;
    const ours = now !== undefined && known.get(path) === hashOf(now);
    if (now !== undefined && now !== text && !ours) {
      kept.push({ path, why: known.has(path) ? "it was edited" : "a file of that name is there already" });
      continue;
    }
    found[now === undefined ? "missing" : now === text ? "same" : "stale"].push(path);
    if (now !== text) writes.push(wanted);
    list.set(path, hashOf(text));
  }
  for (const wanted of settings(site, kept)) {
    found[wanted.now === undefined ? "missing" : wanted.now === wanted.text ? "same" : "stale"].push(wanted.path);
    if (wanted.now !== wanted.text) writes.push(wanted);
  }
  const extra = extras(site, known, new Set(whole.map(({ path }) => path)), kept);
  return { state: { ...found, extra, kept, passed: own.passed }, writes, removals: extra, list };
}

/** The text of a file; undefined when there is none, null when it cannot be looked at, which is then said. */
function lookAt(site: Site, path: string, kept: { path: string; why: string }[]): string | undefined | null {
  const file = join(site.project, path);
  try {
    const found = look(file, site.project);
    if (!found.linked) return found.text;
    kept.push({ path, why: "it is a link" });
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    kept.push({ path, why: error.message.replace(`${file} `, "") });
  }
  return null;
}

/** Files that an earlier run wrote, that nobody edited, and that no source asks for any more. */
function extras(
  site: Site,
  known: List,
  wanted: ReadonlySet<string>,
  kept: { path: string; why: string }[],
): readonly string[] {
  return [...known].flatMap(([path, hash]) => {
    if (wanted.has(path) || !/^\.cursor\/(rules|skills)\//.test(path) || path.includes("..")) return [];
    const now = lookAt(site, path, kept);
    if (typeof now !== "string") return [];
    if (hashOf(now) === hash) return [path];
    kept.push({ path, why: "it was edited, and its source is gone" });
    return [];
  });
}

/** hooks.json and mcp.json, which are shared with others: with our entries in them. */
function settings(
  site: Site,
  kept: { path: string; why: string }[],
): readonly (Wanted & { readonly now: string | undefined })[] {
  return clients.cursor.targets({ ...site, scope: "project" }).flatMap((target) => {
    if (target.kind !== "edit") return [];
    const path = target.file.slice(site.project.length + 1).replaceAll("\\", "/");
    try {
      const { text: now } = look(target.file, site.project);
      const bare = target.editor.remove(now ?? "", undefined);
      const text = now !== undefined && target.editor.has(now) ? now : target.editor.add(bare).text;
      return [{ path, text, from: "gestalt", now }];
    } catch (error) {
      if (!(error instanceof GestaltError)) throw error;
      kept.push({ path, why: error.message.replace(`${target.file} `, "") });
      return [];
    }
  });
}

function readList({ project }: Site): List {
  try {
    const list: unknown = JSON.parse(readFileSync(join(project, listPath), "utf8"));
    const files = typeof list === "object" && list !== null && "files" in list ? list.files : undefined;
    const entries = typeof files === "object" && files !== null ? Object.entries(files) : [];
    return new Map(entries.flatMap(([path, hash]) => (typeof hash === "string" ? [[path, hash] as const] : [])));
  } catch {
    // Without the list nothing is known to be ours, and nothing is overwritten.
    return new Map();
  }
}

const listText = (list: List): string =>
  `${JSON.stringify({ about: "written by gestalt sync-cursor", files: Object.fromEntries([...list].sort()) }, null, 2)}\n`;
