import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
}, 120_000);

test("--check says what is missing and exits with 1; --write writes it; then --check is content", async () => {
  const first = await door.run(["sync-cursor"]);
  expect([first.code, first.stderr]).toEqual([1, ""]);
  expect(first.stdout).toContain("missing: .cursor/rules/gestalt.mdc\n");
  expect(existsSync(join(door.notes, ".cursor"))).toBe(false);
  const written = await door.run(["sync-cursor", "--write"]);
  expect([written.code, written.stderr]).toEqual([0, ""]);
  expect(written.stdout).toContain("written: .cursor/hooks.json\n");
  expect(await door.run(["sync-cursor", "--check"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+ files are as they should be\n$/),
    stderr: "",
  });
});

test("a project's own rules are taken with --from; a stale one is said, renewed, and one without source removed", async () => {
  door.write(".claude/rules/style.md", "---\npaths: src/**\n---\nUse tabs.\n");
  await door.run(["sync-cursor", "--write", "--from", "."]);
  const rule = join(door.notes, ".cursor/rules/style.mdc");
  expect(readFileSync(rule, "utf8")).toContain("globs: src/**\nalwaysApply: false");
  door.write(".claude/rules/style.md", "Use spaces.\n");
  const stale = await door.run(["sync-cursor", "--from", "."]);
  expect([stale.code, stale.stdout]).toEqual([1, "stale: .cursor/rules/style.mdc\n"]);
  const extra = await door.run(["sync-cursor", "--json"]);
  expect([extra.code, JSON.parse(extra.stdout).extra]).toEqual([1, [".cursor/rules/style.mdc"]]);
  expect((await door.run(["sync-cursor", "--write"])).stdout).toBe("removed: .cursor/rules/style.mdc\n");
  expect(existsSync(rule)).toBe(false);
});

test("a file that somebody edited is never touched", async () => {
  const rule = join(door.notes, ".cursor/rules/notes.mdc");
  writeFileSync(rule, "mine\n");
  const { code, stderr } = await door.run(["sync-cursor", "--write"]);
  expect([code, stderr]).toEqual([0, "gestalt: .cursor/rules/notes.mdc stays as it is: it was edited\n"]);
  expect(readFileSync(rule, "utf8")).toBe("mine\n");
});

test("--check and --write together are refused", async () => {
  expect((await door.run(["sync-cursor", "--check", "--write"])).code).toBe(1);
});
