import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packages from "../../package.json" with { type: "json" };
import { type Door, openDoor } from "../door.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

const root = join(import.meta.dir, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const cli = readFileSync(join(root, "src", "cli.ts"), "utf8");
const commands = [...cli.matchAll(/^ {4}"?([a-z-]+)"?: \(\) => import/gm)].map(([, name]) => name!);
/** Every `gestalt word` in code: where a command is told. */
const told = new Set(
  [...readme.matchAll(/```[\s\S]*?```|`[^`]+`/g)].flatMap(([code]) =>
    [...code.matchAll(/(?:^|\n|`)(?:\$ )?gestalt ([a-z][a-z-]*)/g)].map(([, name]) => name!),
  ),
);

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});

test("fits on three screens", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(200);
});

test("tells every command, and none that is not there", () => {
  expect(commands.length).toBeGreaterThan(5);
  expect([...told].filter((name) => !commands.includes(name))).toEqual([]);
  expect(commands.filter((name) => !told.has(name))).toEqual([]);
});

test("every npm script it names exists, and every file of the project", () => {
  const scripts = [...readme.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name]) => name!);
  expect(scripts.filter((name) => !(name in packages.scripts) && name !== "and" && name !== "registry")).toEqual([]);
  const files = [...readme.matchAll(/`((?:src|knowledge|bench|\.ci)\/[\w./-]*|[A-Z-]+\.md|bun\.lock)`/g)].map(
    ([, path]) => path!,
  );
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the hits it shows stand in the sample notes at those lines, word for word", () => {
  const hits = [...readme.matchAll(/^([\w-]+\.md):(\d+) {2}(.+) {2}\(\d\.\d\d\)\n {4}(.+?)…?$/gm)];
  expect(hits.length).toBeGreaterThan(1);
  for (const [, path, line, crumbs, snippet] of hits) {
    const lines = readFileSync(join(root, "knowledge", path!), "utf8").split("\n");
    expect(lines[Number(line) - 1]).toContain(crumbs!.split(" > ").at(-1)!);
    expect(lines.slice(Number(line)).join(" ").trim()).toStartWith(snippet!);
  }
});

test("what it shows of setting up an agent is what is printed, in this order, in an empty project", async () => {
  const [, section = ""] = /^## Use it with your agent$([\s\S]*?)^## /m.exec(readme) ?? [];
  const [, shown = ""] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  const env = { PATH: `${dirname(door.executable)}:/usr/bin:/bin`, HOME: door.home, GESTALT_SERVE: "off" };
  let id = "";
  const steps = shown.split(/^\$ /m).filter(Boolean);
  expect(steps.length).toBeGreaterThan(4);
  for (const step of steps) {
    const real = step
      .replaceAll(/\d{4}-\d\d-\d\d-[0-9a-f]{6}/g, (found) => id || found)
      .replaceAll("/home/you/app", door.notes);
    const [typed = "", ...expected] = real.split("\n");
    const { stdout, stderr, exitCode } = Bun.spawnSync(["sh", "-c", typed], { cwd: door.notes, env });
    expect([typed, exitCode, stderr.toString()]).toEqual([typed, 0, ""]);
    const printed = stdout.toString().trimEnd().split("\n");
    id = /^proposed: (\S+)/m.exec(stdout.toString())?.[1] ?? id;
    let at = 0;
    for (const [i, line] of expected.filter(Boolean).entries()) {
      if (line === "…") continue;
      const wanted = line.replaceAll(/\d{4}-\d\d-\d\d-[0-9a-f]{6}/g, id);
      const found = expected[i - 1] === "…" ? printed.indexOf(wanted, at) : at;
      expect(printed[found]).toBe(wanted);
      at = found + 1;
    }
  }
});

describe("every command and sub-command it tells", () => {
  test.each([...told].filter((name) => commands.includes(name)))("gestalt %s answers --help", async (name) => {
    const { code, stdout } = await door.run([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`gestalt ${name}`);
  });

  test.each(["list", "get", "import", "verify", "remove"])("gestalt model %s answers --help", async (name) => {
    expect((await door.run(["model", name, "--help"])).code).toBe(0);
  });
});
