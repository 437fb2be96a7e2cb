import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "../.ci/notices.ts";
import { hostTarget } from "../build.ts";
import packages from "../package.json" with { type: "json" };
import { type Door, openDoor } from "./door.ts";

const root = join(import.meta.dir, "..");
let door: Door;
beforeAll(async () => {
  door = await openDoor();
}, 60_000);

describe("the executable, alone in an empty folder", () => {
  test("tells the version of package.json", async () => {
    expect(await door.run(["--version"])).toEqual({ code: 0, stdout: `${packages.version}\n`, stderr: "" });
  });

  test("shows its commands when it is given none, and writes nothing anywhere", async () => {
    const { code, stdout, stderr } = await door.run([]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("COMMANDS");
    expect([...readdirSync(door.home), ...readdirSync(door.notes)]).toEqual([]);
  });

  test("refuses an unknown command and an unknown flag with exit code 1 and an empty stdout", async () => {
    expect(await door.run(["settigns"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "gestalt: unknown command settigns\n  try: gestalt settings\n",
    });
    expect(await door.run(["settings", "--jsn"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "gestalt: unknown option --jsn\n  try: --json, or gestalt settings --help\n",
    });
  });

  test("ends quietly when nobody reads on", async () => {
    const child = door.spawn(["settings", "--json", "--all"]);
    await child.stdout.cancel();
    child.stdin.end();
    expect(await new Response(child.stderr).text()).toBe("");
    await child.exited;
    expect(child.signalCode).toBeNull();
  });

  test("does not obey a .env where it is run", async () => {
    door.write(".env", "GESTALT_LIMIT=77\n");
    const { stdout } = await door.run(["settings", "--json"]);
    expect(stdout).not.toContain("77");
  });
});

describe("gestalt settings", () => {
  test("tells each value and where it came from", async () => {
    const { code, stdout, stderr } = await door.run(["settings"], { env: { GESTALT_LIMIT: "7", GESTALT_LIMTI: "8" } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^limit +7 +GESTALT_LIMIT +how many hits/m);
    expect(stdout).toMatch(/^overlap +150 +default/m);
    expect(stderr).toBe("gestalt: unknown variable GESTALT_LIMTI; is GESTALT_LIMIT meant?\n");
  });

  test("shows a bad value among the others, and exits with 1", async () => {
    const { code, stdout } = await door.run(["settings"], { env: { GESTALT_LIMIT: "lots" } });
    expect(code).toBe(1);
    expect(stdout).toContain('GESTALT_LIMIT is "lots", not a whole number from 1 to 100');
    expect(stdout).toMatch(/^overlap +150/m);
  });

  test("reads the file among the notes, and names a key that may not stand there", async () => {
    door.write(".gestalt.yml", "limit: 9\ndb: /tmp/elsewhere.db\n");
    const { stdout, stderr } = await door.run(["settings"]);
    expect(stdout).toMatch(/^limit +9 +file/m);
    expect(stdout).toMatch(/^db +- +default/m);
    expect(stderr).toContain('"db" may not be set among the notes');
  });

  test("has the same in JSON", async () => {
    const { stdout } = await door.run(["settings", "--json"], { cwd: door.home });
    const { settings } = JSON.parse(stdout);
    expect(settings.find(({ name }: { name: string }) => name === "limit")).toEqual({
      name: "limit",
      variable: "GESTALT_LIMIT",
      key: "limit",
      value: 10,
      origin: "default",
      meaning: "how many hits",
    });
  });
});

describe("the Claude Code plugin that is built beside it", () => {
  const plugin = join(root, "dist", "plugin");
  const read = (path: string) => JSON.parse(readFileSync(join(plugin, path), "utf8"));
  /** Every command with its arguments and time limit, by event, whatever program it starts. */
  const calls = ({ hooks }: { hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]> }) =>
    Object.entries(hooks).flatMap(([event, entries]) =>
      entries.flatMap(({ matcher, hooks: handlers }) =>
        handlers.map(({ args, timeout, type }) => ({ event, matcher, args, timeout, type })),
      ),
    );

  test("lists the same hooks and server as `install claude`", async () => {
    await door.run(["install", "claude", "--yes"]);
    const settings = JSON.parse(readFileSync(join(door.notes, ".claude/settings.json"), "utf8"));
    expect(calls(read("hooks/hooks.json"))).toEqual(calls(settings));
    const { gestalt } = JSON.parse(readFileSync(join(door.notes, ".mcp.json"), "utf8")).mcpServers;
    expect({ ...read(".mcp.json").mcpServers.gestalt, command: gestalt.command }).toEqual(gestalt);
    await door.run(["uninstall", "claude", "--yes"]);
  });

  test("starts its own program: each hook answers, and nothing is missing from the folder", async () => {
    const { gestalt } = read(".mcp.json").mcpServers;
    const commands = [...JSON.stringify(read("hooks/hooks.json")).matchAll(/"command":"([^"]+)"/g)].map(
      ([, command]) => command,
    );
    expect(new Set(commands)).toEqual(new Set([gestalt.command]));
    const program = gestalt.command.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}/, plugin);
    const { exitCode, stdout } = Bun.spawnSync([program, "--version"]);
    expect([exitCode, stdout.toString()]).toEqual([0, `${packages.version}\n`]);
    const skills = readdirSync(join(root, "skills")).sort();
    expect(readdirSync(join(plugin, "skills")).sort()).toEqual(skills);
  });

  test("has a manifest that Claude Code takes, and is its own marketplace", () => {
    const { name, version, author } = read(".claude-plugin/plugin.json");
    expect({ name, version, author }).toEqual({
      name: "gestalt",
      version: packages.version,
      author: { name: "gestalt" },
    });
    const market = read(".claude-plugin/marketplace.json");
    expect(market).toMatchObject({ name: "gestalt", owner: { name: "gestalt" }, description: packages.description });
    expect(market.plugins).toEqual([expect.objectContaining({ name: "gestalt", source: "./" })]);
  });
});

test("Bun is the pinned one", () => {
  expect(packages.devDependencies.bun).toBe(Bun.version);
  expect(packages.devDependencies["@types/bun"]).toBe(Bun.version);
});

test("every package is pinned to one version, and the lock file names no registry", () => {
  const versions = Object.values({ ...packages.dependencies, ...packages.devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(readFileSync(join(root, "bun.lock"), "utf8")).not.toMatch(/https?:\/\//);
});

test("every package in the executable has its licence in THIRD-PARTY-NOTICES.md; `bun .ci/notices.ts` writes it", async () => {
  const notices = readFileSync(join(root, "THIRD-PARTY-NOTICES.md"), "utf8");
  const missing = (await bundledPackages()).filter((name) => {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    return !notices.includes(`\n## ${name} ${version}\n`);
  });
  expect(missing).toEqual([]);
});

test("this machine is a target", () => {
  expect(["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "windows-x64"]).toContain(hostTarget());
});
