import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SkillFile } from "../engine/route.ts";

/** Where agents keep skills, below a project or the user's home: https://agentskills.io */
const folders = [".claude/skills", ".cursor/skills", ".agents/skills"];

/**
 * Every skill an agent could use in `cwd`: those of the project (from `cwd` upward), of the user, and of the plugins that
 * Claude Code has installed. A name that comes twice counts once, in that order. What cannot be read is left out.
 */
export function findSkills(cwd: string, home: string): readonly SkillFile[] {
  const found = new Map<string, SkillFile>();
  const take = (folder: string, origin: SkillFile["origin"], prefix = ""): void => {
    for (const name of childrenOf(folder)) {
      const path = join(folder, name, "SKILL.md");
      const bytes = found.has(prefix + name) ? undefined : bytesOf(path);
      if (bytes !== undefined) found.set(prefix + name, { name: prefix + name, path, origin, bytes });
    }
  };
  for (const project of upward(cwd, home)) for (const folder of folders) take(join(project, folder), "project");
  for (const folder of folders) take(join(home, folder), "user");
  for (const { plugin, path } of installedPlugins(home)) take(join(path, "skills"), "plugin", `${plugin}:`);
  return [...found.values()];
}

/** `from` and the folders above it, without the user's home and what lies above that. */
function upward(from: string, home: string): string[] {
  const paths: string[] = [];
  for (let at = resolve(from); at !== home && at !== dirname(at); at = dirname(at)) paths.push(at);
  return paths;
}

const childrenOf = (folder: string): string[] =>
  (existsSync(folder) ? attempt(() => readdirSync(folder).sort()) : undefined) ?? [];

const bytesOf = (path: string): Uint8Array | undefined => attempt(() => readFileSync(path));

/** Claude Code's list: `{ plugins: { "name@market": [{ installPath }] } }`, in older versions without the inner list. */
function installedPlugins(home: string): { readonly plugin: string; readonly path: string }[] {
  const list = attempt((): unknown =>
    JSON.parse(readFileSync(join(home, ".claude/plugins/installed_plugins.json"), "utf8")),
  );
  const plugins = isRecord(list) && isRecord(list["plugins"]) ? Object.entries(list["plugins"]) : [];
  return plugins.flatMap(([key, value]) =>
    [value].flat().flatMap((entry) => {
      const path = isRecord(entry) ? entry["installPath"] : undefined;
      return typeof path === "string"
        ? { plugin: key.replace(/@.*$/, ""), path: resolve(home, ".claude/plugins", path) }
        : [];
    }),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
