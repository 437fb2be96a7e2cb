import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { answer } from "../../../src/agents/guard/event.ts";
import { readOwnRules } from "../../../src/agents/guard/own.ts";
import { noRules, type Own } from "../../../src/agents/guard/verdict.ts";

const ground = { cwd: "/home/u/app", home: "/home/u", settings: ["/home/u/.config/claude"] };
const say = (event: unknown, own: Own = noRules): Record<string, unknown> | "" => {
  const text = answer(JSON.stringify(event), ground, own);
  expect(text).not.toContain("\n");
  return text === "" ? "" : JSON.parse(text);
};
const claude = (tool_name: string, tool_input: unknown) => ({
  session_id: "s",
  transcript_path: "/t",
  cwd: "/home/u/app",
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  tool_use_id: "t",
});
const decision = (event: unknown, own?: Own): unknown => {
  const said = say(event, own);
  if (said === "") return "nothing";
  const inner = Object(said["hookSpecificOutput"]);
  return inner.permissionDecision ?? said["permission"] ?? said["decision"];
};

describe("each client is answered in its own words", () => {
  test("Claude Code", () => {
    expect(say(claude("Bash", { command: "rm -rf /", description: "x" }))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "gestalt guard: deletes /: the system itself.",
      },
    });
    expect(decision(claude("Bash", { command: "git reset --hard" }))).toBe("ask");
    expect(say(claude("Bash", { command: "ls" }))).toBe("");
  });

  test("Codex, which cannot ask, is refused and told whom to ask", () => {
    const event = { ...claude("Bash", { command: "git reset --hard" }), turn_id: "1", model: "m" };
    expect(say(event)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("Ask the person"),
      },
    });
    expect(decision({ ...event, tool_input: { command: ["bash", "-lc", "rm -rf ~"] } })).toBe("deny");
    expect(
      decision({
        ...event,
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Update File: src/a.ts\n" },
      }),
    ).toBe("nothing");
    expect(
      decision({
        ...event,
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Add File: .env\n+A=1\n" },
      }),
    ).toBe("deny");
  });

  test("Gemini CLI", () => {
    const event = { session_id: "s", cwd: "/home/u/app", hook_event_name: "BeforeTool", timestamp: "t" };
    expect(say({ ...event, tool_name: "run_shell_command", tool_input: { command: "rm -rf ~" } })).toEqual({
      decision: "deny",
      reason: "gestalt guard: deletes /home/u: everything in a home folder.",
    });
    expect(decision({ ...event, tool_name: "write_file", tool_input: { file_path: ".env", content: "" } })).toBe(
      "deny",
    );
    expect(say({ ...event, tool_name: "read_file", tool_input: { file_path: ".env" } })).toBe("");
  });

  test("Cursor", () => {
    const event = { conversation_id: "c", generation_id: "g", cursor_version: "3", workspace_roots: ["/home/u/app"] };
    expect(
      say({ ...event, hook_event_name: "beforeShellExecution", command: "git clean -fd", cwd: "/home/u/app" }),
    ).toEqual({
      permission: "ask",
      user_message: "gestalt guard: git clean deletes files that git does not know.",
      agent_message: expect.stringContaining("Ask the person"),
    });
    expect(decision({ ...event, hook_event_name: "beforeShellExecution", command: "rm -rf build", cwd: "" })).toBe(
      "nothing",
    );
    const sql = { ...event, hook_event_name: "beforeMCPExecution", tool_name: "run_sql" };
    expect(decision({ ...sql, tool_input: '{"sql":"DROP DATABASE x"}' })).toBe("deny");
    expect(
      decision({
        ...event,
        hook_event_name: "preToolUse",
        tool_name: "Delete",
        tool_input: { file_path: "/home/u/app/id_rsa" },
      }),
    ).toBe("deny");
  });
});

test.each([
  ["Remove-Item -Recurse -Force $HOME", "deny"],
  ["Get-ChildItem; git reset --hard", "ask"],
  ["Get-ChildItem -Recurse", "nothing"],
  ["npm test", "nothing"],
])("PowerShell as a tool of its own, %s: %s", (command, expected) => {
  expect(decision(claude("PowerShell", { command }))).toBe(expected);
});

describe("files that an editor's tool writes", () => {
  test.each([
    ["/home/u/app/server.pem", "deny"],
    ["certs/tls.key", "deny"],
    [".env", "deny"],
    [".env.production", "deny"],
    [".envrc", "deny"],
    ["config/credentials.json", "deny"],
    ["secrets.yaml", "deny"],
    ["/home/u/.aws/credentials", "deny"],
    ["/home/u/.kube/config", "deny"],
    ["/home/u/.ssh/id_ed25519", "deny"],
    ["/home/u/.netrc", "deny"],
    [".npmrc", "deny"],
    ["/home/u/.gnupg/pubring.kbx", "deny"],
    ["src/../.env", "deny"],
    [".claude/settings.json", "ask"],
    ["/home/u/.claude/settings.json", "ask"],
    [".claude/settings.local.json", "ask"],
    [".claude/hooks/x.py", "ask"],
    [".cursor/hooks.json", "ask"],
    ["/home/u/.codex/config.toml", "ask"],
    ["/home/u/.config/claude/settings.json", "ask"],
    ["/home/u/.config/claude/hooks/x.sh", "ask"],
    ["/home/u/.config/claude/notes.md", "nothing"],
    [".mcp.json", "ask"],
    [".git/hooks/pre-commit", "ask"],
    ["/home/u/.config/gestalt/guard.yml", "ask"],
    ["/home/u/.zshrc", "ask"],
    ["/etc/hosts", "ask"],
    [".env.example", "nothing"],
    [".env.sample", "nothing"],
    [".env.template", "nothing"],
    ["src/environment.ts", "nothing"],
    ["src/keys.ts", "nothing"],
    ["monkey.md", "nothing"],
    ["/home/u/.ssh/id_ed25519.pub", "nothing"],
    ["/tmp/.env", "nothing"],
    ["settings.json", "nothing"],
    ["docs/credentials.md", "nothing"],
    ["knowledge/secrets.md", "nothing"],
  ])("%s: %s", (file_path, expected) => {
    expect(decision(claude("Write", { file_path, content: "" }))).toBe(expected);
    expect(decision(claude("Edit", { file_path, old_string: "", new_string: "" }))).toBe(expected);
  });
});

describe("MCP tools", () => {
  test.each([
    ["mcp__db__query", { sql: "drop database x" }, "deny"],
    ["mcp__db__query", { query: "TRUNCATE users" }, "ask"],
    ["mcp__db__execute", { statement: "ALTER TABLE a DROP COLUMN b" }, "ask"],
    ["mcp__db__query", { sql: "delete from a where true" }, "ask"],
    ["mcp__db__query", { sql: "UPDATE a SET b = 1" }, "ask"],
    ["mcp__k8s__delete_pod", { name: "x" }, "ask"],
    ["mcp__k8s__scale_deployment", { replicas: 0 }, "ask"],
    ["mcp__graphiti__clear_graph", {}, "ask"],
    ["mcp__x__deleteFile", {}, "ask"],
    ["mcp__db__query", { sql: "SELECT * FROM deleted WHERE name = 'DROP TABLE x'" }, "nothing"],
    ["mcp__db__query", { sql: "DELETE FROM a WHERE id = 1" }, "nothing"],
    ["mcp__k8s__list_deleted", {}, "nothing"],
    ["mcp__k8s__scale_deployment", { replicas: 2 }, "nothing"],
    ["mcp__gestalt__gestalt_search", { query: "why did we drop table x" }, "nothing"],
    ["mcp__gestalt__gestalt_search", { query: "DROP DATABASE" }, "nothing"],
    ["mcp__github__search_code", { query: "DELETE FROM users" }, "nothing"],
  ])("%s %j: %s", (tool, input, expected) => expect(decision(claude(tool, input))).toBe(expected));
});

describe("a person's own rules", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gestalt-own-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const rules = (text: string): Own => {
    const file = join(folder, "guard.yml");
    writeFileSync(file, text);
    return readOwnRules(file);
  };
  const own = `
deny:
  - command: git push * --no-verify
    reason: the checks must run
  - tool: mcp__prod__*
ask:
  - command: make release*
allow:
  - command: git reset --hard
  - command: rm -rf /opt/tool
  - path: "*/.env.local"
`;

  test.each([
    ["git push origin x --no-verify", "deny"],
    ["ls && git push origin x --no-verify", "deny"],
    ["make release-all", "ask"],
    ["make build", "nothing"],
    ["git reset --hard", "nothing"],
    ["git reset --hard && rm -rf /", "deny"],
    ["git reset --hard HEAD~3", "ask"],
    ["rm -rf /opt/tool", "nothing"],
    ["rm -rf /opt/tool /", "deny"],
    ["sudo rm -rf /opt/tool", "nothing"],
  ])("%s: %s", (command, expected) => expect(decision(claude("Bash", { command }), rules(own))).toBe(expected));

  test("are about files and tools too", () => {
    expect(decision(claude("Write", { file_path: "/a/.env.local" }), rules(own))).toBe("nothing");
    expect(decision(claude("Write", { file_path: "/a/.env" }), rules(own))).toBe("deny");
    expect(decision(claude("mcp__prod__list", {}), rules(own))).toBe("deny");
  });

  test("that are missing or empty change nothing", () => {
    expect(readOwnRules(join(folder, "none.yml"))).toEqual(noRules);
    expect(decision(claude("Bash", { command: "rm -rf /" }), rules("# nothing yet\n"))).toBe("deny");
  });

  test.each([
    ["deny: rm", '"deny" is not a list'],
    ["deney:\n  - command: x", '"deney" is not deny, ask or allow'],
    ["deny:\n  - reason: x", 'a rule under "deny" names no command, path or tool'],
    ["- command: x", "it holds no lists"],
    ["deny: [", "was passed over"],
  ])("that cannot be read (%j) are said, and ours hold", (text, why) => {
    const broken = rules(text);
    expect(broken.fault).toContain(why);
    expect(say(claude("Bash", { command: "ls" }), broken)).toEqual({ systemMessage: expect.stringContaining(why) });
    expect(decision(claude("Bash", { command: "rm -rf /" }), broken)).toBe("deny");
  });
});

test.each([
  [
    "",
    "{}",
    "[]",
    "null",
    "7",
    '"x"',
    "{",
    "\ufeff{}",
    '{"tool_name": 1}',
    '{"tool_name": "Bash"}',
    '{"tool_name":"Bash","tool_input":null}',
    '{"tool_name":"Bash","tool_input":[]}',
    '{"tool_name":"Bash","tool_input":{"command":{}}}',
    '{"tool_name":"Write","tool_input":{"file_path":7}}',
    '{"tool_name":"mcp__x","tool_input":"{"}',
  ],
])("what no client writes is met with silence: %j", (stdin) => expect(answer(stdin, ground, noRules)).toBe(""));

test("any JSON is answered with one object or nothing", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("Bash", "Write", "mcp__a__b", "apply_patch", ""), (json, tool) => {
      const text = answer(`{"tool_name":${JSON.stringify(tool)},"tool_input":${json},"cwd":${json}}`, ground, noRules);
      if (text !== "") JSON.parse(text);
    }),
    { numRuns: 300 },
  );
});

test("a command line too long to be read is asked about", () => {
  expect(decision(claude("Bash", { command: `ls ${"a".repeat(100_001)}` }))).toBe("ask");
});
