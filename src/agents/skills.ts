import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SkillFile } from "../engine/route.ts";

/** Where agents keep skills, below a project; for a user too, but that Claude Code's folder may be elsewhere. https://agentskills.io */
const others = [".cursor/skills", ".agents/skills"];
const folders = [".claude/skills", ...others];

/**
 * Every skill an agent could use in `cwd`: those of the project (from `cwd` upward), of the user, and of the plugins that
 * Claude Code has installed. A name that comes twice counts once, in that order. What cannot be read is left out.
 *
 * @param claude the folder of the user's Claude Code
 */
export function findSkills(cwd: string, home: string, claude: string): readonly SkillFile[] {
  const found = new Map<string, SkillFile>();
  const take = (folder: string, origin: SkillFile["origin"], prefix = ""): void => {
    for (const name of childrenOf(folder)) {
      const path = join(folder, name, "SKILL.md");
      const bytes = found.has(prefix + name) ? undefined : bytesOf(path);
      if (bytes !== undefined) found.set(prefix + name, { name: prefix + name, path, origin, bytes });
    }
  };
  for (const project of upward(cwd, home)) for (const folder of folders) take(join(project, folder), "project");
  for (const folder of [join(claude, "skills"), ...others.map((other) => join(home, other))]) take(folder, "user");
  for (const { plugin, path } of installedPlugins(claude)) take(join(path, "skills"), "plugin", `${plugin}:`);
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
function installedPlugins(claude: string): { readonly plugin: string; readonly path: string }[] {
  const list = attempt((): unknown =>
    JSON.parse(readFileSync(join(claude, "plugins", "installed_plugins.json"), "utf8")),
  );
  const plugins = isRecord(list) && isRecord(list["plugins"]) ? Object.entries(list["plugins"]) : [];
  return plugins.flatMap(([key, value]) =>
    [value].flat().flatMap((entry) => {
      const path = isRecord(entry) ? entry["installPath"] : undefined;
      return typeof path === "string"
        ? { plugin: key.replace(/@.*$/, ""), path: resolve(claude, "plugins", path) }
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
