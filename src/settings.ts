import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { GestaltError } from "./errors.ts";
import { allowed, example, readValue, shown, type Value, type ValueOf } from "./kinds.ts";
import { type Knob, knobs } from "./knobs.ts";
import { nearest } from "./nearest.ts";

/** Knobs that take effect. */
export type KnobName = {
  [K in keyof typeof knobs]: (typeof knobs)[K] extends { readonly accepted: string } ? never : K;
}[keyof typeof knobs];

/** Values by knob. A knob without a default may be undefined. */
export type Settings<N extends KnobName = KnobName> = {
  readonly [K in N]: ValueOf<(typeof knobs)[K]> | Extract<(typeof knobs)[K]["fallback"], undefined>;
};

export type Origin = "flag" | "variable" | "file" | "default";
export type Env = Readonly<Record<string, string | undefined>>;
/** Flags as typed, by knob name: all values that were given, in order. */
export type Flags = Readonly<Record<string, readonly string[] | undefined>>;
/** The parsed content of a `.gestalt.yml`, and the path it was read from. */
export type Config = { readonly file: string; readonly keys: Readonly<Record<string, unknown>> };
export type Sources = { readonly flags?: Flags; readonly config?: Config | undefined; readonly env?: Env };

/** All rows of the table, with and without effect. */
export const allKnobs: readonly (readonly [name: string, knob: Knob])[] = Object.entries(knobs);
const isLive = (name: string): name is KnobName => Object.hasOwn(knobs, name) && knobOf(name)?.accepted === undefined;
const knobOf = (name: string): Knob | undefined => allKnobs.find(([other]) => other === name)?.[1];
export const liveKnobs: readonly KnobName[] = allKnobs.map(([name]) => name).filter(isLive);

/** The variable that sets a knob. */
export const variableOf = (name: string, knob: Knob): string =>
  knob.env ?? `GESTALT_${name.toUpperCase().replaceAll("-", "_")}`;

/**
 * The values of the named knobs: flag, else variable, else `.gestalt.yml`, else default. An empty variable counts as unset.
 *
 * @throws GestaltError "usage" at the first value that is not allowed
 */
export function resolveSettings<const N extends KnobName = KnobName>(
  sources: Sources = {},
  names: readonly N[] = liveKnobs as readonly N[],
): { readonly values: Settings<N>; readonly origins: Readonly<Record<N, Origin>> } {
  const resolved = names.map((name) => [name, resolveKnob(name, knobs[name], sources)] as const);
  // The table types each value; entries lose the tie between a key and its value's type.
  return {
    values: Object.fromEntries(resolved.map(([name, { value }]) => [name, value])) as Settings<N>,
    origins: Object.fromEntries(resolved.map(([name, { origin }]) => [name, origin])) as Record<N, Origin>,
  };
}

/** One knob's value and where it came from. Throws as `resolveSettings` does. */
export function resolveKnob(
  name: string,
  knob: Knob,
  { flags = {}, config, env = process.env }: Sources,
): { readonly value: unknown; readonly origin: Origin } {
  const flag = flags[name];
  if (flag !== undefined && flag.length > 0) {
    const given = knob.kind === "list" ? flag : flag.slice(-1);
    return { value: readAll(name, knob, `--${name}`, given), origin: "flag" };
  }
  const variable = variableOf(name, knob);
  const set = env[variable];
  if (set !== undefined && set.trim() !== "") {
    const given = knob.kind === "list" ? set.split(delimiter).filter((part) => part.trim() !== "") : [set];
    if (given.length > 0) return { value: readAll(name, knob, variable, given), origin: "variable" };
  }
  if (knob.config && config !== undefined && Object.hasOwn(config.keys, name)) {
    const key = config.keys[name];
    const written = typeof key === "object" ? JSON.stringify(key) : String(key);
    if (key !== null && key !== undefined)
      return { value: readAll(name, knob, `${name} in ${config.file}`, [written]), origin: "file" };
  }
  return { value: knob.fallback, origin: "default" };
}

function readAll(name: string, knob: Knob, place: string, given: readonly string[]): Value {
  const values = given.map((written) => {
    const value = readValue(knob, written);
    if (value !== undefined) return knob.kind === "path" ? expandHome(String(value)) : value;
    const good = knob.fallback === undefined || knob.kind === "list" ? example(knob) : shown(knob.fallback);
    const ways = [`--${name} ${good}`, `${variableOf(name, knob)}=${good}`];
    if (knob.config) ways.push(`"${name}: ${good}" in .gestalt.yml`);
    throw new GestaltError("usage", `${place} is "${written}", not ${allowed(knob)}`, ways.join(", or "));
  });
  return knob.kind === "list"
    ? values.flatMap((value) => (Array.isArray(value) ? value : [String(value)]))
    : values[0]!;
}

/** A line for each variable that is set and has no effect here. */
export const idleVariables = (env: Env = process.env): readonly string[] =>
  allKnobs
    .map(([name, knob]) => [variableOf(name, knob), knob.accepted] as const)
    .filter(([variable, accepted]) => accepted !== undefined && (env[variable] ?? "").trim() !== "")
    .map(([variable, accepted]) => `${variable} has no effect: ${accepted}`);

/** Variables that look like ours and are not, each with the name that may have been meant. */
export function unknownVariables(env: Env = process.env): readonly { readonly name: string; readonly near?: string }[] {
  const known = new Set(allKnobs.map(([name, knob]) => variableOf(name, knob)));
  return Object.keys(env)
    .filter((name) => name.startsWith("GESTALT_") && !known.has(name))
    .sort()
    .map((name) => {
      const [near] = nearest(name, known);
      return near === undefined ? { name } : { name, near };
    });
}

/** A line for each key of a `.gestalt.yml` that is not known, may not stand there, or has no effect. */
export function configNotices({ file, keys }: Config): readonly string[] {
  const known = allKnobs.filter(([, knob]) => knob.config).map(([name]) => name);
  return Object.keys(keys).flatMap((key) => {
    // Folders inside the file's own: the engine looks at it when it looks for vaults.
    if (key === "vault") return [];
    const knob = knobOf(key);
    if (knob === undefined) {
      const [near] = nearest(key, known);
      return [`${file}: unknown key "${key}"${near === undefined ? "" : `; is "${near}" meant?`}`];
    }
    if (!knob.config)
      return [`${file}: "${key}" may not be set among the notes; use --${key} or ${variableOf(key, knob)}`];
    return knob.accepted === undefined ? [] : [`${file}: "${key}" has no effect: ${knob.accepted}`];
  });
}

/** The user's home folder. `node:os` is loaded late: nearly every home is in the environment. */
export const homeDir = (env: Env = process.env): string =>
  env["HOME"] || (require("node:os") as typeof import("node:os")).homedir();

/** A path with `~` or `~/` at its beginning replaced by the home folder, as a shell would. */
export const expandHome = (path: string, env: Env = process.env): string =>
  /^~(?=$|[/\\])/.test(path) ? join(homeDir(env), path.slice(1)) : path;

const mac = ["Library", "Application Support"];

/** Where files go that can be made again: `gestalt` in the user's cache folder. */
export const cacheDir = (env: Env = process.env, platform: NodeJS.Platform = process.platform): string =>
  userDir(env["XDG_CACHE_HOME"], env["LOCALAPPDATA"], ["Library", "Caches"], [".cache"], env, platform);

/** Where the user's own choices are kept: `gestalt` in the user's configuration folder. */
export const configDir = (env: Env = process.env, platform: NodeJS.Platform = process.platform): string =>
  userDir(env["XDG_CONFIG_HOME"], env["APPDATA"], mac, [".config"], env, platform);

/** Where programs keep what they must not lose: `gestalt` in the user's state folder. */
export const stateDir = (env: Env = process.env, platform: NodeJS.Platform = process.platform): string =>
  userDir(env["XDG_STATE_HOME"], env["LOCALAPPDATA"], mac, [".local", "state"], env, platform);

/** The folder in which programs keep their users' settings. */
export const settingsHome = (env: Env = process.env, platform: NodeJS.Platform = process.platform): string =>
  dirname(configDir(env, platform));

/**
 * Where Claude Code and Codex keep their users' settings, as their own variables say. `servers` is the file with Claude Code's
 * servers: beside its folder, but in it where CLAUDE_CONFIG_DIR names one. https://code.claude.com/docs/en/settings,
 * https://developers.openai.com/codex/environment-variables
 */
export function clientFolders(env: Env = process.env) {
  const folder = (set: string | undefined) => (set?.trim() ? resolve(expandHome(set, env)) : undefined);
  const home = homeDir(env);
  const set = folder(env["CLAUDE_CONFIG_DIR"]);
  const claude = set ?? join(home, ".claude");
  return {
    claude,
    servers: join(set ?? home, ".claude.json"),
    codex: folder(env["CODEX_HOME"]) ?? join(home, ".codex"),
  };
}

/** XDG's variable wins on every system; a relative one is ignored, as its specification asks. */
function userDir(
  xdg: string | undefined,
  windows: string | undefined,
  apple: readonly string[],
  other: readonly string[],
  env: Env,
  platform: NodeJS.Platform,
): string {
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "gestalt");
  if (platform === "win32" && windows) return join(windows, "gestalt");
  return join(homeDir(env), ...(platform === "darwin" ? apple : other), "gestalt");
}

/** Whether to write colours to this stream: a terminal, and nobody said no. https://no-color.org */
export const wantsColour = (stream: { readonly isTTY?: boolean }, env: Env = process.env): boolean =>
  stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
