// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts with variables of a shell
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isSetUp, putContextRule } from "../../../src/agents/cursor/context.ts";
import { cursorRule, headOf, rewritten } from "../../../src/agents/cursor/rule.ts";
import { checkCursor, writeCursor } from "../../../src/agents/cursor/sync.ts";
import type { Site } from "../../../src/agents/install/clients.ts";
import { clientFolders } from "../../../src/settings.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "gestalt-cursor-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));
const site = (): Site => ({
  scope: "project",
  project,
  home: "/h",
  folders: clientFolders({ HOME: "/h" }),
  settings: "/s",
  program: "gestalt",
  guard: false,
  audit: false,
});
const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};
const text = (path: string): string => readFileSync(join(project, path), "utf8");
/** Every file with its text. */
const snapshot = () =>
  readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")])
    .sort();

describe("a rule, as Cursor reads it", () => {
  test("with paths is attached by globs", () => {
    const rule = cursorRule(
      "x",
      '---\ndescription: About tests\npaths:\n  - "test/**"\n  - "*.spec.ts"\n---\n\n# Tests\n\nGo.\n',
    );
    expect(rule).toBe(
      "---\ndescription: About tests\nglobs: test/**,*.spec.ts\nalwaysApply: false\n---\n\n# Tests\n\nGo.\n",
    );
  });

  test("without paths is always applied, and takes its description from its first prose", () => {
    expect(cursorRule("x", "# Title\n\n- a list\n\nSay why: in one line.\n")).toBe(
      '---\ndescription: "Say why: in one line."\nglobs:\nalwaysApply: true\n---\n\n# Title\n\n- a list\n\nSay why: in one line.\n',
    );
    expect(headOf(cursorRule("name", ""))).toEqual({ description: "name", globs: null, alwaysApply: true });
    expect(String(headOf(cursorRule("x", `a ${"b ".repeat(300)}`))["description"]).length).toBe(200);
  });

  test("with front matter that YAML does not know keeps its text", () => {
    expect(cursorRule("x", "---\n: [\n---\nText\n")).toContain("\nText\n");
  });

  test.each([
    ["see .claude/rules/style.md for more", "see .cursor/rules/style.mdc for more"],
    ["`.claude/rules/a/b.md`, .claude/rules/c.md.", "`.cursor/rules/a/b.mdc`, .cursor/rules/c.mdc."],
    [
      "run .claude/hooks/x.sh and .claude/skills/save/SKILL.md",
      "run .cursor/hooks/x.sh and .cursor/skills/save/SKILL.md",
    ],
    ["~/.claude/settings.json stays", "~/.claude/settings.json stays"],
    ["$HOME/.claude/rules/x.md and ${HOME}/.claude/x stay", "$HOME/.claude/rules/x.md and ${HOME}/.claude/x stay"],
  ])("%s → %s", (before, after) => expect(rewritten(before)).toBe(after));
});

describe("sync-cursor", () => {
  test("finds everything missing at first, writes it, and then nothing: twice changes nothing", () => {
    const before = checkCursor(site(), undefined);
    expect(before.missing).toContain(".cursor/rules/gestalt.mdc");
    expect(before.missing).toContain(".cursor/hooks.json");
    expect(before.missing).toContain(".cursor/mcp.json");
    expect(readdirSync(project)).toEqual([]);
    writeCursor(site(), undefined);
    const once = snapshot();
    const after = writeCursor(site(), undefined);
    expect([after.missing, after.stale, after.extra, after.kept]).toEqual([[], [], [], []]);
    expect(snapshot()).toEqual(once);
    expect(JSON.parse(text(".cursor/hooks.json"))).toMatchObject({
      version: 1,
      hooks: { sessionStart: [{ command: "gestalt hook session-start" }] },
    });
    expect(JSON.parse(text(".cursor/mcp.json"))).toEqual({
      mcpServers: { gestalt: { command: "gestalt", args: ["mcp"] } },
    });
  });

  test("takes a project's own rules and skills, with the files beside them", () => {
    put(".claude/rules/team/style.md", "Use tabs, see .claude/rules/other.md\n");
    put(".claude/skills/ship/SKILL.md", "---\nname: ship\ndescription: d\n---\nRun .claude/skills/ship/run.sh\n");
    put(".claude/skills/ship/run.sh", "cat .claude/x\n");
    put(".claude/skills/ship/logo.png", new Uint8Array([0xff, 0xfe, 0x00]));
    const { passed } = writeCursor(site(), project);
    expect(passed).toEqual([".claude/skills/ship/logo.png"]);
    expect(text(".cursor/rules/team/style.mdc")).toContain("see .cursor/rules/other.mdc");
    expect(text(".cursor/skills/ship/SKILL.md")).toContain("Run .cursor/skills/ship/run.sh");
    expect(text(".cursor/skills/ship/run.sh")).toBe("cat .claude/x\n");
  });

  test("renews what is stale, and removes what has no source any more", () => {
    put(".claude/rules/a.md", "one\n");
    put(".claude/rules/b.md", "two\n");
    writeCursor(site(), project);
    put(".claude/rules/a.md", "changed\n");
    rmSync(join(project, ".claude/rules/b.md"));
    expect(checkCursor(site(), project)).toMatchObject({
      stale: [".cursor/rules/a.mdc"],
      extra: [".cursor/rules/b.mdc"],
    });
    writeCursor(site(), project);
    expect(text(".cursor/rules/a.mdc")).toContain("changed");
    expect(existsSync(join(project, ".cursor/rules/b.mdc"))).toBe(false);
    expect(checkCursor(site(), project)).toMatchObject({ missing: [], stale: [], extra: [], kept: [] });
  });

  test("never touches a file that it did not write, or that was edited since", () => {
    put(".cursor/rules/gestalt.mdc", "mine\n");
    put(".cursor/rules/handmade.mdc", "mine too\n");
    put(".claude/rules/a.md", "one\n");
    writeCursor(site(), project);
    put(".cursor/rules/a.mdc", "edited\n");
    rmSync(join(project, ".claude/rules/a.md"));
    const { kept } = writeCursor(site(), project);
    expect(kept).toEqual([
      { path: ".cursor/rules/gestalt.mdc", why: "a file of that name is there already" },
      { path: ".cursor/rules/a.mdc", why: "it was edited, and its source is gone" },
    ]);
    expect(text(".cursor/rules/gestalt.mdc")).toBe("mine\n");
    expect(text(".cursor/rules/handmade.mdc")).toBe("mine too\n");
    expect(text(".cursor/rules/a.mdc")).toBe("edited\n");
  });

  test("keeps other people's hooks and servers, and leaves alone what it cannot read", () => {
    put(".cursor/hooks.json", '{\n  // mine\n  "version": 1,\n  "hooks": { "stop": [{ "command": "x" }] }\n}\n');
    put(".cursor/mcp.json", "{");
    const { kept } = writeCursor(site(), undefined);
    expect(kept).toEqual([{ path: ".cursor/mcp.json", why: "line 1 is not JSON" }]);
    expect(text(".cursor/hooks.json")).toContain("// mine");
    expect(text(".cursor/hooks.json")).toContain('{ "command": "x" }, { "command": "gestalt hook stop"');
    expect(text(".cursor/mcp.json")).toBe("{");
  });

  test("does not write out of the project through a link, nor trust a list that points outside", () => {
    const outside = mkdtempSync(join(tmpdir(), "gestalt-outside-"));
    mkdirSync(join(project, ".cursor"));
    symlinkSync(outside, join(project, ".cursor/skills"));
    writeFileSync(join(outside, "victim"), "x");
    const hash = new Bun.CryptoHasher("sha256").update("x").digest("hex");
    put(
      ".cursor/gestalt-sync.json",
      JSON.stringify({ files: { ".cursor/rules/../../../victim": hash, ".cursor/skills/victim": hash } }),
    );
    const { kept } = writeCursor(site(), undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(readdirSync(outside)).toEqual(["victim"]);
    rmSync(outside, { recursive: true });
  });
});

describe("the rule with a session's context", () => {
  test("is kept out of git without touching a tracked file, once", () => {
    put(".git/info/exclude", "# git's own\n*.log");
    putContextRule(project, "Notes.");
    putContextRule(project, "Notes.");
    expect(text(".git/info/exclude")).toBe("# git's own\n*.log\n/.cursor/rules/gestalt-context.mdc\n");
    expect(text(".cursor/rules/gestalt-context.mdc")).toContain("alwaysApply: true");
    putContextRule(project, "");
    expect(existsSync(join(project, ".cursor/rules/gestalt-context.mdc"))).toBe(false);
  });

  test("in a folder below the top of the repository is excluded by its whole path", () => {
    put(".git/HEAD", "ref: refs/heads/main\n");
    putContextRule(join(project, "apps/[web]"), "Notes.");
    expect(text(".git/info/exclude")).toBe("/apps/\\[web]/.cursor/rules/gestalt-context.mdc\n");
  });

  test("in a worktree is excluded where git looks", () => {
    put("repo/.git/worktrees/tree/commondir", "../..\n");
    put("tree/.git", `gitdir: ${join(project, "repo/.git/worktrees/tree")}\n`);
    putContextRule(join(project, "tree"), "Notes.");
    expect(text("repo/.git/info/exclude")).toBe("/.cursor/rules/gestalt-context.mdc\n");
  });

  test("without a repository is written all the same", () => {
    putContextRule(project, "Notes.");
    expect(text(".cursor/rules/gestalt-context.mdc")).toContain("Notes.");
  });

  test.each([
    ["nothing of ours", ".cursor/rules/other.mdc", "x", false],
    ["hooks of somebody else", ".cursor/hooks.json", '{"hooks":{"stop":[{"command":"other hook stop"}]}}', false],
    ["hooks that cannot be read", ".cursor/hooks.json", '{"hooks":[', false],
    ["our hooks", ".cursor/hooks.json", '{"hooks":{"stop":[{"command":"/opt/gestalt hook stop"}]}}', true],
    ["what sync-cursor wrote", ".cursor/gestalt-sync.json", "{}", true],
    ["the rule", ".cursor/rules/gestalt-context.mdc", "x", true],
  ])("is wanted or not where a project has %s", (_, path, written, wanted) => {
    put(path, written);
    expect(isSetUp(project)).toBe(wanted);
  });
});
