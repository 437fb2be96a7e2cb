import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findSkills } from "../../src/agents/skills.ts";
import { route } from "../../src/engine/route.ts";
import { temporaryFolder } from "../door.ts";

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const skill = (description: string, body = "") =>
  `---\nname: x\ndescription: ${description}\n---\n# Steps\n\n${body}\n`;

function openHome() {
  const home = temporaryFolder();
  const project = join(home, "work", "app");
  const plugin = join(home, ".claude/plugins/cache/market/notes/1.0.0");
  write(join(home, ".claude/skills/commit/SKILL.md"), skill("Write a commit message for staged changes"));
  write(join(home, ".claude/skills/deploy/SKILL.md"), skill("The user's own deploy"));
  write(join(project, ".claude/skills/deploy/SKILL.md"), skill("Ship the application to production", "run kubectl"));
  write(join(home, "work/.agents/skills/review/SKILL.md"), skill("Review a pull request"));
  write(join(plugin, "skills/recall/SKILL.md"), skill("Search the user's notes"));
  write(
    join(home, ".claude/plugins/installed_plugins.json"),
    JSON.stringify({ version: 2, plugins: { "notes@market": [{ scope: "user", installPath: plugin }] } }),
  );
  return { home, project };
}

test("skills of the project, of folders above it, of the user and of plugins are found, the nearest of a name first", () => {
  const { home, project } = openHome();
  const found = findSkills(project, home, join(home, ".claude")).map(({ name, origin }) => `${origin} ${name}`);
  expect(found).toEqual(["project deploy", "project review", "user commit", "plugin notes:recall"]);
});

test("those of a Claude Code whose folder is elsewhere are found there", () => {
  const { home, project } = openHome();
  write(join(home, ".config/claude/skills/tidy/SKILL.md"), skill("Tidy up"));
  expect(findSkills(project, home, join(home, ".config/claude")).map(({ name }) => name)).toEqual([
    "deploy",
    "review",
    "tidy",
  ]);
});

test("a broken list of plugins, and a skill that is a folder, are passed over", () => {
  const { home, project } = openHome();
  mkdirSync(join(home, ".claude/skills/odd/SKILL.md"), { recursive: true });
  for (const list of ["{", "[]", '{"plugins":{"a":[null,{"installPath":5}],"b":7}}', "null"]) {
    writeFileSync(join(home, ".claude/plugins/installed_plugins.json"), list);
    expect(findSkills(project, home, join(home, ".claude")).map(({ name }) => name)).toEqual([
      "deploy",
      "review",
      "commit",
    ]);
  }
});

test.each([
  ["please commit my changes", "commit"],
  ["ship it to production", "deploy"],
  ["kubectl", "deploy"],
  ["reviewing pull requests", "review"],
  ["what do my notes say", "notes:recall"],
])("%s: %s fits, because its description or text has the words", (request, name) => {
  const { home, project } = openHome();
  expect(route(findSkills(project, home, join(home, ".claude")), request, 5)[0]).toMatchObject({ name });
});

test.each(["", "***", '"', "NEAR(a b)", "zzz"])("%j fits no skill, and is no error", (request) => {
  const { home, project } = openHome();
  expect(route(findSkills(project, home, join(home, ".claude")), request, 5)).toEqual([]);
});
