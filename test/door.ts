/** Tests through the door: the built executable, alone in a fresh folder, with nothing of this checkout or this user around it. */
import { existsSync, linkSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Glob } from "bun";

export type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };
export type Asked = {
  readonly stdin?: string;
  /** Added to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it is run; `notes` unless told. */
  readonly cwd?: string;
};
export type Door = {
  /** The executable, outside the checkout. */
  readonly executable: string;
  /** The user's home, empty at first, with the cache folder in it. */
  readonly home: string;
  /** The folder the commands are run in, empty at first. */
  readonly notes: string;
  /** Writes a file, and its folders, in `notes`; returns its path. */
  write(path: string, text: string): string;
  run(argv: readonly string[], asked?: Asked): Promise<Said>;
  /** A run whose streams and end the test looks after itself. */
  spawn(argv: readonly string[], asked?: Asked): Bun.Subprocess<"pipe", "pipe", "pipe">;
};

const root = join(import.meta.dir, "..");
const suffix = process.platform === "win32" ? ".exe" : "";
const built = join(root, "dist", `gestalt${suffix}`);

/** Folders of this run. `tidy.ts` removes them when all tests are over: under `bun test` a process's exit handlers are not run. */
export const temporary: string[] = [];

/** A folder that is gone when the tests are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gestalt-test-"));
  temporary.push(folder);
  return folder;
}

/** Builds the executable when it is older than what it is made from, and opens a fresh place to run it in. */
export async function openDoor(): Promise<Door> {
  if (isStale()) {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, "build.ts"], { cwd: root });
    if (exitCode !== 0) throw new Error(`the build failed: ${stderr}`);
  }
  const folder = temporaryFolder();
  const executable = join(folder, `gestalt${suffix}`);
  try {
    linkSync(built, executable);
  } catch {
    await copyFile(built, executable);
  }
  const home = join(folder, "home");
  const notes = join(folder, "notes");
  for (const path of [home, notes]) mkdirSync(path);
  const cleanEnv = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    LANG: "C.UTF-8",
    // Tests leave no process behind; those of the warm process switch it on.
    GESTALT_SERVE: "off",
  };
  const spawn: Door["spawn"] = (argv, { stdin = "", env = {}, cwd = notes } = {}) => {
    const child = Bun.spawn([executable, ...argv], {
      cwd,
      env: { ...cleanEnv, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (stdin !== "") child.stdin.write(stdin);
    return child;
  };
  return {
    executable,
    home,
    notes,
    write(path, text) {
      const file = join(notes, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    spawn,
    async run(argv, asked) {
      const child = spawn(argv, asked);
      child.stdin.end();
      const [stdout, stderr, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, stdout, stderr };
    },
  };
}

function isStale(): boolean {
  if (!existsSync(built)) return true;
  const made = statSync(built).mtimeMs;
  const sources = [
    ...["build.ts", "package.json", "bun.lock"],
    ...new Glob("{src,hooks,rules,skills}/**/*").scanSync({ cwd: root }),
    ...new Glob("bench/*.json").scanSync({ cwd: root }),
  ];
  return sources.some((path) => (statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > made);
}
