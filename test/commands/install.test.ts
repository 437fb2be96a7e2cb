import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

let door: Door;
beforeEach(async () => {
  door = await openDoor();
}, 120_000);

const files = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")] as const)
    .filter(([path]) => !/\/\.cache\/|\/\.local\//.test(path))
    .sort();

const busy = `{
  // other people's settings
  "permissions": { "allow": ["Bash(npm test)"], },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }] }
    ],
  },
}
`;

describe.each(["claude", "cursor", "codex", "gemini", "vscode"])("install %s", (client) => {
  test.each([[[]], [["--user"]]])(
    "%j: shows a diff, writes when told, once; uninstall leaves nothing behind",
    async (scope) => {
      const before = [...files(door.notes), ...files(door.home)];
      const asked = await door.run(["install", client, ...scope, "--guard"]);
      expect(asked.code).toBe(1);
      expect(asked.stdout).toContain("+++ ");
      expect(asked.stdout).toContain("Nothing is sent anywhere");
      expect(asked.stderr).toContain(`gestalt: nothing was written\n  try: gestalt install ${client}`);
      expect([...files(door.notes), ...files(door.home)]).toEqual(before);

      const done = await door.run(["install", client, ...scope, "--guard", "--yes"]);
      expect(done.code).toBe(0);
      expect(done.stderr).toStartWith("gestalt: no notes found from ");
      const written = [...files(door.notes), ...files(door.home)];
      expect(written.length).toBeGreaterThan(before.length);
      expect(JSON.stringify(written)).toContain(JSON.stringify(door.executable).slice(1, -1));

      const again = await door.run(["install", client, ...scope, "--yes"]);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("everything is there already")]);
      expect([...files(door.notes), ...files(door.home)]).toEqual(written);

      const back = await door.run(["uninstall", client, ...scope, "--yes"]);
      expect([back.code, back.stderr]).toEqual([0, ""]);
      expect([...files(door.notes), ...files(door.home)]).toEqual(before);
      expect(readdirSync(door.notes)).toEqual([]);
    },
    60_000,
  );
});

test("a busy settings file keeps every other byte, and comes back whole", async () => {
  const file = door.write(".claude/settings.json", busy);
  const { stdout } = await door.run(["install", "claude", "--yes"]);
  const text = readFileSync(file, "utf8");
  for (const line of busy.split("\n").slice(0, 6)) expect(text).toContain(line);
  expect(text).toContain('"args": ["hook", "prompt"]');
  expect(stdout).not.toContain("=====");
  await door.run(["uninstall", "--yes"]);
  expect(readFileSync(file, "utf8")).toBe(busy);
}, 60_000);

test("it ends with where the notes are, or with what to do where there are none", async () => {
  const none = await door.run(["install", "vscode", "--yes"]);
  expect(none.stderr).toEndWith("  try: mkdir knowledge, or export GESTALT_VAULT=FOLDER where the agent is started\n");
  const elsewhere = join(door.home, "notes");
  mkdirSync(elsewhere);
  const found = await door.run(["install", "claude", "--yes"], { env: { GESTALT_VAULT: elsewhere } });
  expect([found.stdout.trimEnd().split("\n").at(-1), found.stderr]).toEqual([`Notes: ${elsewhere}`, ""]);
}, 60_000);

test("without a name it finds the clients that are in use", async () => {
  mkdirSync(join(door.home, ".gemini"));
  mkdirSync(join(door.notes, ".cursor"));
  const { stdout, code } = await door.run(["install", "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Cursor: ");
  expect(stdout).toContain("Gemini CLI: ");
  expect(stdout).not.toContain("Codex");
  expect(existsSync(join(door.notes, ".gemini/settings.json"))).toBe(true);
}, 60_000);

test("with nothing in use it says so", async () => {
  expect(await door.run(["install"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "gestalt: found no client here or in your home folder\n  try: gestalt install claude\n",
  });
  expect((await door.run(["uninstall"])).stdout).toBe("nothing of gestalt is installed here\n");
});

test("a client that does not exist is named, with the nearest", async () => {
  expect((await door.run(["install", "cursr"])).stderr).toContain("gestalt install cursor");
});

test("a malformed settings file is left alone and said; the rest is written; exit code 1", async () => {
  const file = door.write(".mcp.json", '{"mcpServers": {');
  const { code, stderr } = await door.run(["install", "claude", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} was left alone: line 1 is not JSON`)]);
  expect(readFileSync(file, "utf8")).toBe('{"mcpServers": {');
  expect(existsSync(join(door.notes, ".claude/settings.json"))).toBe(true);
}, 60_000);

describe("gestalt doctor", () => {
  const lines = async () => {
    const { findings } = JSON.parse((await door.run(["doctor", "--json"])).stdout);
    return findings.filter(({ about }: { about: string }) => /clients|Claude|Codex/.test(about));
  };

  test("tells what is registered with a client, runs it, and names the command that mends it", async () => {
    expect(await lines()).toEqual([expect.objectContaining({ about: "clients", mend: "gestalt install" })]);
    await door.run(["install", "claude", "codex", "--yes"]);
    expect(await lines()).toEqual([
      expect.objectContaining({ about: "Claude Code, project", state: "ok", says: expect.stringContaining("2.1.139") }),
      expect.objectContaining({ about: "Codex, project", state: "ok" }),
    ]);
    const file = join(door.notes, ".claude/settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(door.executable, "/gone/gestalt"));
    const hooks = join(door.notes, ".codex/hooks.json");
    writeFileSync(hooks, "{}");
    expect(await lines()).toEqual([
      expect.objectContaining({
        state: "broken",
        says: expect.stringContaining("/gone/gestalt does not run"),
        mend: "gestalt install claude",
      }),
      expect.objectContaining({ state: "broken", says: expect.stringContaining(hooks), mend: "gestalt install codex" }),
    ]);
    await door.run(["install", "claude", "codex", "--yes"]);
    expect((await lines()).map(({ state }: { state: string }) => state)).toEqual(["ok", "ok"]);
  }, 60_000);
});

describe("with the Claude Code plugin enabled", () => {
  const enable = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), '{"enabledPlugins": {"gestalt@gestalt": true}}');
  };

  test("doctor tells of it and asks for no installation; install says that every hook would run twice", async () => {
    enable(join(door.home, ".claude"));
    const alone = (await door.run(["doctor"])).stdout;
    expect(alone).toContain("Claude Code, plugin");
    expect(alone).not.toContain("gestalt install");
    expect((await door.run(["install", "claude", "--yes"])).stderr).toContain("every hook runs twice");
    expect((await door.run(["doctor"])).stdout).toMatch(/^note +Claude Code, project .*every hook runs twice/m);
  }, 60_000);

  test("also where CLAUDE_CONFIG_DIR says; the settings of the user are written there", async () => {
    const folder = join(door.home, "elsewhere");
    const env = { CLAUDE_CONFIG_DIR: folder };
    enable(folder);
    expect((await door.run(["doctor"], { env })).stdout).toContain("Claude Code, plugin");
    await door.run(["install", "claude", "--user", "--yes"], { env });
    expect(readFileSync(join(folder, "settings.json"), "utf8")).toContain("session-start");
    expect(existsSync(join(folder, ".claude.json"))).toBe(true);
    expect(existsSync(join(door.home, ".claude"))).toBe(false);
    await door.run(["uninstall", "claude", "--user", "--yes"], { env });
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  }, 60_000);
});

describe("the guard, as a client calls it", () => {
  const call = (command: string, changes: object = {}) =>
    JSON.stringify({
      session_id: "s",
      transcript_path: "/t",
      cwd: door.notes,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      ...changes,
    });

  test("refuses, asks, or says nothing; exit code 0 always", async () => {
    const refused = await door.run(["hook", "guard"], { stdin: call("ls && rm -rf ~") });
    expect([refused.code, refused.stderr]).toEqual([0, ""]);
    expect(JSON.parse(refused.stdout).hookSpecificOutput).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
    });
    const asked = await door.run(["hook", "guard"], { stdin: call("git reset --hard") });
    expect(JSON.parse(asked.stdout).hookSpecificOutput.permissionDecision).toBe("ask");
    expect(await door.run(["hook", "guard"], { stdin: call("npm test") })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("follows the person's own rules file", async () => {
    mkdirSync(join(door.home, ".config/gestalt"), { recursive: true });
    writeFileSync(
      join(door.home, ".config/gestalt/guard.yml"),
      "deny:\n  - command: npm publish*\nallow:\n  - command: git reset --hard\n",
    );
    expect((await door.run(["hook", "guard"], { stdin: call("git reset --hard") })).stdout).toBe("");
    expect((await door.run(["hook", "guard"], { stdin: call("npm publish") })).stdout).toContain('"deny"');
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"tool_name":"Bash"}',
    "\xff\xfe",
    `{"tool_name":"Bash","tool_input":{"command":${JSON.stringify("$(".repeat(20_000))}}}`,
    "x".repeat(3_000_000),
  ])("meets what no client writes with exit code 0 and no noise (%#)", async (stdin) => {
    const said = await door.run(["hook", "guard"], { stdin });
    expect([said.code, said.stderr]).toEqual([0, ""]);
    if (said.stdout !== "") JSON.parse(said.stdout);
  });
});
