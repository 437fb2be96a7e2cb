import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

let door: Door;
beforeEach(async () => {
  door = await openDoor();
}, 120_000);

const state = () => join(door.home, ".local/state/gestalt/hooks");
const namesIn = (name: string): readonly string[] =>
  existsSync(join(state(), name)) ? readdirSync(join(state(), name)).sort() : [];
const call = (tool_name: string, tool_input: object, hook_event_name = "PreToolUse") =>
  JSON.stringify({ session_id: "s", transcript_path: "/t", cwd: door.notes, hook_event_name, tool_name, tool_input });
const silent = { code: 0, stdout: "", stderr: "" };

describe("gestalt hook audit", () => {
  const all = { GESTALT_AUDIT_LOG: "on", GESTALT_EDIT_BACKUP: "on" };

  test("writes nothing until a setting asks for it", async () => {
    door.write("knowledge/a.md", "# A\n");
    for (const stdin of [call("Bash", { command: "ls" }), call("Edit", { file_path: "knowledge/a.md" })])
      expect(await door.run(["hook", "audit"], { stdin })).toEqual(silent);
    expect(existsSync(state())).toBe(false);
  });

  test("keeps what an agent runs and edits, secrets masked, for the user alone", async () => {
    const secret = "sk-abcdefghijklmnopqrstuvwxyz123456";
    const stdins = [
      call("Bash", { command: `curl -H 'Authorization: Bearer ${secret}' x` }),
      call("Write", { file_path: "src/a.ts", content: "x" }),
      call("mcp__db__query", { sql: "select 1" }),
      call("Read", { file_path: "src/a.ts" }),
    ];
    for (const stdin of stdins) expect(await door.run(["hook", "audit"], { stdin, env: all })).toEqual(silent);
    const file = join(state(), "audit/audit.jsonl");
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(secret);
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({
        tool: "Bash",
        session: "s",
        cwd: door.notes,
        command: expect.stringContaining("[secret removed]"),
      }),
      expect.objectContaining({ tool: "Write", files: ["src/a.ts"] }),
      expect.objectContaining({ tool: "mcp__db__query" }),
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("puts a full log aside and keeps the newest: no line that was written a moment ago is ever gone", async () => {
    const folder = join(state(), "audit");
    mkdirSync(folder, { recursive: true });
    const full = "x".repeat(5_000_000);
    for (const year of [2021, 2022, 2023, 2024]) writeFileSync(join(folder, `audit-${year}.jsonl`), String(year));
    writeFileSync(join(folder, "audit.jsonl"), full);
    await door.run(["hook", "audit"], { stdin: call("Bash", { command: "ls" }), env: all });
    const names = namesIn("audit");
    expect(names).toHaveLength(5);
    expect(names.slice(0, 3)).toEqual(["audit-2022.jsonl", "audit-2023.jsonl", "audit-2024.jsonl"]);
    expect(readFileSync(join(folder, names[3] ?? ""), "utf8")).toBe(full);
    expect(JSON.parse(readFileSync(join(folder, "audit.jsonl"), "utf8")).command).toBe("ls");
  });

  test("copies a note before an edit, the same text once; nothing that is no note of these notes", async () => {
    door.write("knowledge/a.md", "# A\n\nas it was\n");
    door.write("src/b.md", "# B\n");
    door.write("knowledge/c.txt", "c");
    const edit = (path: string) => door.run(["hook", "audit"], { stdin: call("Edit", { file_path: path }), env: all });
    for (const path of [
      "knowledge/a.md",
      join(door.notes, "knowledge/a.md"),
      "src/b.md",
      "knowledge/c.txt",
      "knowledge/new.md",
    ])
      expect(await edit(path)).toEqual(silent);
    const [copy = "", ...others] = namesIn("copies");
    expect([copy, others]).toEqual([expect.stringMatching(/^\d{4}-.*-a\.md$/), []]);
    expect(readFileSync(join(state(), "copies", copy), "utf8")).toBe("# A\n\nas it was\n");
    expect(statSync(join(state(), "copies", copy)).mode & 0o777).toBe(0o600);
    door.write("knowledge/a.md", "# A\n\nchanged\n");
    await edit("knowledge/a.md");
    expect(namesIn("copies")).toHaveLength(2);
  });

  test.each(["", "{", "null", '{"hook_event_name":"PreToolUse"}'])("meets %j with silence", async (stdin) => {
    expect(await door.run(["hook", "audit"], { stdin, env: all })).toEqual(silent);
  });
});

describe("the check after an edit", () => {
  const env = { GESTALT_EDIT_CHECK: "on" };
  const after = (path: string, tool = "Edit", more: Readonly<Record<string, string>> = env) =>
    door.run(["hook", "file"], { stdin: call(tool, { file_path: path }, "PostToolUse"), env: more });

  test("tells the agent of broken front matter and of links that lead nowhere, with their lines", async () => {
    door.write("knowledge/a.md", "# A\n");
    await door.run(["index", "--lexical"]);
    door.write("knowledge/a.md", "---\ntags: [x\n---\n# A\n\nSee [[nowhere]] and [b](b.md).\n");
    const { stdout } = await after("knowledge/a.md");
    const { additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    expect(additionalContext).toMatch(
      /^<gestalt-notes-([0-9a-f]{16})>\nknowledge\/a\.md has problems now [^\n]*:\n- line [\s\S]*<\/gestalt-notes-\1>$/,
    );
    expect(additionalContext).toContain('- line 6: no note is called "nowhere"');
    expect(additionalContext).toContain('no note is called "b.md"');
    expect(additionalContext).toContain("front matter");
    expect((await after("knowledge/a.md", "Read")).stdout).toBe("");
    expect((await after("knowledge/a.md", "Edit", {})).stdout).toBe("");
  }, 30_000);

  test("says nothing of a note that is whole, and of files that are no notes", async () => {
    door.write("knowledge/a.md", "---\ntags: [x]\n---\n# A\n\nSee [[b]].\n");
    door.write("knowledge/b.md", "# B\n");
    await door.run(["index", "--lexical"]);
    for (const path of ["knowledge/a.md", "src/x.ts"]) expect(await after(path)).toEqual(silent);
  }, 30_000);
});

test("install registers the audit hook only when it is asked for, and says that it writes nothing yet", async () => {
  const plain = await door.run(["install", "claude", "--yes"]);
  expect(plain.stdout).not.toContain("audit");
  const asked = await door.run(["install", "claude", "--audit", "--yes"]);
  expect(asked.stdout).toContain("nothing until audit-log or edit-backup is on");
  expect(readFileSync(join(door.notes, ".claude/settings.json"), "utf8")).toContain('"args": ["hook", "audit"]');
  expect((await door.run(["install", "claude", "--yes"])).stdout).toContain("everything is there already");
  await door.run(["uninstall", "claude", "--yes"]);
  expect(existsSync(join(door.notes, ".claude"))).toBe(false);
}, 60_000);
