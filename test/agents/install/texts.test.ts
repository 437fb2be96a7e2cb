import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { headOf, withoutHead } from "../../../src/agents/cursor/rule.ts";
import { rules, skills } from "../../../src/agents/install/texts.ts";
import { tools } from "../../../src/agents/tools/all.ts";
import { type Door, openDoor } from "../../door.ts";

const root = join(import.meta.dir, "../../..");
const texts = [
  ...Object.entries(skills).map(([name, text]) => [`skills/${name}`, text] as const),
  ...Object.entries(rules).map(([name, text]) => [`rules/${name}`, text] as const),
];
/** `tool_name {"json": …}` in a code span. */
const callsIn = (text: string) =>
  [...text.matchAll(/`(gestalt_\w+) (\{.*?\})`/g)].map(([, name = "", json = ""]) => ({
    name,
    given: JSON.parse(json),
  }));

test("the executable carries every text of the folders", () => {
  expect(Object.keys(skills).sort()).toEqual(readdirSync(join(root, "skills")).sort());
  expect(
    Object.keys(rules)
      .map((name) => `${name}.md`)
      .sort(),
  ).toEqual(readdirSync(join(root, "rules")).sort());
});

describe.each(Object.entries(skills))("the skill %s", (name, text) => {
  const head = headOf(text);

  test("has front matter that Claude Code reads, and the name of its folder", () => {
    const known = ["name", "description", "argument-hint", "allowed-tools", "disable-model-invocation"];
    expect(Object.keys(head).filter((key) => !known.includes(key))).toEqual([]);
    expect(head["name"]).toBe(name);
    expect(name).toMatch(/^[a-z][a-z-]{0,63}$/);
    expect(String(head["description"])).toMatch(/\bUse\b/);
    expect(String(head["description"]).length).toBeLessThanOrEqual(300);
  });

  test("is short", () => {
    expect(withoutHead(text).length).toBeLessThanOrEqual(2500);
  });

  test("may use the tools that it calls, by both of their names", () => {
    const allowed = String(head["allowed-tools"] ?? "").split(/,\s*/);
    for (const { name: called } of callsIn(text)) {
      expect(allowed).toContain(`mcp__gestalt__${called}`);
      expect(allowed).toContain(`mcp__plugin_gestalt_gestalt__${called}`);
    }
  });
});

describe.each(texts)("%s", (_, text) => {
  test("names only tools, arguments and commands that exist", async () => {
    const known = new Set(tools.map(({ name }) => name));
    const named = [...text.matchAll(/\w*gestalt_\w+/g)].flatMap(([word]) => word.split("__"));
    for (const name of named) if (name.startsWith("gestalt_")) expect(known).toContain(name);
    for (const { name, given } of callsIn(text)) {
      const tool = tools.find((candidate) => candidate.name === name);
      expect(Object.keys(given).filter((key) => !Object.hasOwn(tool?.args ?? {}, key))).toEqual([]);
    }
    for (const [, command = "", sub] of text.matchAll(/`gestalt ([a-z-]+)(?: ([a-z-]+))?/g)) {
      const { default: found } = await import(`../../../src/commands/${command}.ts`);
      if ("commands" in found) expect(Object.keys(found.commands)).toContain(sub ?? "");
    }
  });
});

describe("what loads into every session", () => {
  test("stays within 1,500 characters of rules", () => {
    expect(Object.values(rules).join("").length).toBeLessThanOrEqual(1500);
  });

  test("stays within 6,000 characters of tools, as JSON", async () => {
    const door = await openDoor();
    const { stdout } = await door.run(["mcp", "--vault", "."], { stdin: lines(initialize, list) });
    const result = replies(stdout).get(2)?.result;
    expect(JSON.stringify(result?.tools).length).toBeLessThanOrEqual(6000);
  }, 120_000);
});

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const list = { id: 2, method: "tools/list", params: {} };
const lines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
type Reply = { id: number; result?: { tools?: unknown; isError?: boolean; content?: { text: string }[] } };
const replies = (stdout: string): ReadonlyMap<number, Reply> =>
  new Map(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line): Reply => JSON.parse(line))
      .map((reply) => [reply.id, reply]),
  );

describe("every call that a skill shows", () => {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor();
    cpSync(join(root, "knowledge"), join(door.notes, "knowledge"), { recursive: true });
    await door.run(["index"]);
  }, 120_000);

  test.each(Object.entries(skills).filter(([, text]) => callsIn(text).length > 0))(
    "works against the executable: %s",
    async (_, text) => {
      const calls = callsIn(text);
      const messages = calls.map(({ name, given }, i) => ({
        id: i + 10,
        method: "tools/call",
        params: { name, arguments: given },
      }));
      const { stdout } = await door.run(["mcp"], {
        stdin: lines(initialize, ...messages),
      });
      const answers = replies(stdout);
      for (const [i, { name }] of calls.entries()) {
        const result = answers.get(i + 10)?.result;
        expect([name, result?.isError ?? false, result?.content?.[0]?.text ?? ""]).toEqual([
          name,
          false,
          expect.stringMatching(/./),
        ]);
        if (name === "gestalt_search")
          expect(JSON.parse(result?.content?.[0]?.text ?? "{}").hits.length).toBeGreaterThan(0);
      }
    },
    60_000,
  );
});
