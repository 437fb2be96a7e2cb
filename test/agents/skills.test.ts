import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findSkills } from "../../src/agents/skills.ts";
import { route } from "../../src/engine/route.ts";
import { temporaryFolder } from "../door.ts";
import { looking, openVault } from "../engine/vault.ts";

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
])("%s: %s fits, because its description or text has the words", async (request, name) => {
  const { home, project } = openHome();
  const { skills } = await route(findSkills(project, home, join(home, ".claude")), request, 5);
  expect(skills[0]).toMatchObject({ name });
});

test.each(["", "***", '"', "NEAR(a b)", "zzz"])("%j fits no skill, and is no error", async (request) => {
  const { home, project } = openHome();
  expect((await route(findSkills(project, home, join(home, ".claude")), request, 5)).skills).toEqual([]);
});

describe("with a model at hand", () => {
  const vault = openVault({ "a.md": "# A\n\nA note.\n" });
  const asked = async (request: string) => {
    const { home, project } = openHome();
    const files = findSkills(project, home, join(home, ".claude"));
    return await vault.open((engine) => route(files, request, 2, engine.likeness));
  };
  const vectors = () => looking(vault.place.vectors, (db) => db.query("SELECT count(*) AS n FROM vector").get());

  test("while there is no index, words answer", async () => {
    expect(await asked("release it to our customers")).toEqual({ skills: [], mode: "lexical" });
  });

  test("a skill is found whose words the request has not, and its vector is made once", async () => {
    await vault.index();
    const { skills, mode } = await asked("release the new version to our customers");
    expect([mode, skills[0]?.name]).toEqual(["hybrid", "deploy"]);
    const before = vectors();
    expect((await asked("look up what I jotted down last month")).skills[0]?.name).toBe("notes:recall");
    expect(vectors()).toEqual(before);
  });

  test("a request without a word fits no skill", async () => {
    expect((await asked("***")).skills).toEqual([]);
  });
});
