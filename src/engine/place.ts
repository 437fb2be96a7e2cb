import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { CryptoHasher } from "bun";
import { GestaltError, messageOf } from "../errors.ts";
import { type Config, cacheDir, expandHome } from "../settings.ts";

/** A folder of notes. `root` is its real path. */
export type Vault = { readonly name: string; readonly root: string };

/** Where notes are read from, and where what is known of them is kept. `why` says how the vaults were found. */
export type Place = {
  readonly vaults: readonly Vault[];
  readonly db: string;
  /** The machine's file of vectors, shared by all indexes. */
  readonly vectors: string;
  /** The folder of models that are not in the executable. */
  readonly models: string;
  readonly why: string;
};

export const configName = ".gestalt.yml";

/** The nearest `.gestalt.yml` in `from` or above it, read; undefined when there is none. */
export async function findConfig(from: string): Promise<Config | undefined> {
  const folder = upward(from).find((folder) => existsSync(join(folder, configName)));
  return folder === undefined ? undefined : await readConfig(join(folder, configName));
}

/** @throws GestaltError "usage" when the file is not a YAML mapping */
async function readConfig(file: string): Promise<Config> {
  const { parse } = await import("yaml");
  try {
    const keys: unknown = parse(readFileSync(file, "utf8"), { maxAliasCount: 0 }) ?? {};
    if (typeof keys === "object" && !Array.isArray(keys)) return { file, keys: keys as Record<string, unknown> };
  } catch (error) {
    throw new GestaltError("usage", `${file} cannot be read: ${messageOf(error).split("\n")[0]}`, `mend ${file}`);
  }
  throw new GestaltError("usage", `${file} holds no settings (key: value lines)`, `mend ${file}`);
}

/**
 * Decides which folders are searched and where their index lies.
 *
 * Vaults: those named; else the folder of `.gestalt.yml`; else the nearest folder upward that holds `knowledge/` (then that
 * folder) or `.obsidian` (then the folder itself). The index: `db`, else a file in `searchDir` or the user's cache folder,
 * named by the vaults' real paths.
 *
 * @throws GestaltError "no-vault" when there is none, or a named folder is no folder
 */
export function locate(options: {
  readonly vault: readonly string[];
  readonly db: string | undefined;
  readonly searchDir: string | undefined;
  readonly config: Config | undefined;
  readonly cwd: string;
}): Place {
  const { vaults, why } =
    options.vault.length > 0
      ? { vaults: options.vault.map((given) => namedVault(given, options.cwd)), why: "named" }
      : discover(options.cwd, options.config);
  const distinct = vaults.filter(({ root }, i) => vaults.findIndex((other) => other.root === root) === i);
  const unique = distinct.map((vault, i) => ({ ...vault, name: freeName(vault.name, distinct.slice(0, i)) }));
  const key = new CryptoHasher("sha256")
    .update(
      unique
        .map(({ root }) => root)
        .sort()
        .join("\0"),
    )
    .digest("hex");
  const { folder, vectors, models } = shelves(options.searchDir, options.cwd);
  const readable = (unique[0]?.name ?? "").replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 40);
  const db =
    options.db === undefined ? join(folder, `${readable}-${key.slice(0, 12)}.db`) : resolve(options.cwd, options.db);
  return { vaults: unique, db, vectors, models, why };
}

/** Where indexes, vectors and models are kept, whatever the vaults. */
export function shelves(
  searchDir: string | undefined,
  cwd: string,
): Pick<Place, "vectors" | "models"> & { readonly folder: string } {
  const own = searchDir === undefined ? undefined : resolve(cwd, searchDir);
  return {
    folder: own ?? join(cacheDir(), "index"),
    vectors: join(own ?? cacheDir(), "vectors.db"),
    models: join(cacheDir(), "models"),
  };
}

/** `NAME=DIR` or `DIR`. A folder whose own name holds `=` is meant as it is when it exists. */
function namedVault(given: string, cwd: string): Vault {
  const cut = given.indexOf("=");
  const whole = resolve(cwd, expandHome(given));
  if (cut > 0 && !existsSync(whole))
    return vaultAt(resolve(cwd, expandHome(given.slice(cut + 1))), given.slice(0, cut));
  return vaultAt(whole);
}

function vaultAt(folder: string, name?: string): Vault {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return { name: name ?? (basename(root) || "notes"), root };
  } catch (error) {
    if (existsSync(folder))
      throw new GestaltError("no-vault", `${folder}: ${messageOf(error)}`, "check the folder's rights");
  }
  throw new GestaltError("no-vault", `${folder} is not a folder`, "gestalt search --vault FOLDER WORDS");
}

function discover(cwd: string, config: Config | undefined): { vaults: Vault[]; why: string } {
  if (config !== undefined) return { vaults: configured(config), why: config.file };
  for (const folder of upward(cwd)) {
    const knowledge = join(folder, "knowledge");
    if (isFolder(knowledge)) return { vaults: [vaultAt(knowledge)], why: `${knowledge} exists` };
    if (isFolder(join(folder, ".obsidian"))) return { vaults: [vaultAt(folder)], why: `${folder} holds .obsidian` };
  }
  throw new GestaltError(
    "no-vault",
    `no notes found from ${cwd} upward (looked for ${configName}, knowledge/ and .obsidian)`,
    "gestalt search --vault FOLDER WORDS, or set GESTALT_VAULT",
  );
}

/** The folder of the file, or folders inside it that its `vault` key names. */
function configured({ file, keys }: Config): Vault[] {
  const home = realpathSync(dirname(file));
  const named = keys["vault"] ?? ".";
  return (Array.isArray(named) ? named : [named]).map((given) => {
    const vault = vaultAt(resolve(home, String(given)));
    const inside = relative(home, vault.root);
    if (inside.startsWith("..") || isAbsolute(inside))
      throw new GestaltError(
        "no-vault",
        `${file}: "vault: ${given}" lies outside the file's own folder`,
        `name it yourself: --vault ${given}`,
      );
    return vault;
  });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A folder and all above it. */
function upward(from: string): string[] {
  const folders = [resolve(from)];
  for (let above = dirname(folders[0]!); above !== folders.at(-1); above = dirname(above)) folders.push(above);
  return folders;
}

/** A second vault of one name gets a number. */
function freeName(name: string, taken: readonly Vault[]): string {
  let free = name;
  for (let i = 2; taken.some((vault) => vault.name === free); i++) free = `${name}-${i}`;
  return free;
}
