import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { group } from "../../src/commands/command.ts";
import evaluate from "../../src/commands/eval.ts";
import { folderWith } from "../bench/files.ts";
import { runner } from "./console.ts";

const root = group({ name: "gestalt", description: "Search", commands: { eval: async () => ({ default: evaluate }) } });
const samples = join(import.meta.dir, "../../knowledge");
const shipped = join(import.meta.dir, "../../bench/golden/knowledge.yml");

const command = runner(root);
const run = (...argv: string[]) => command("eval", ...argv);

describe("gestalt eval", () => {
  test("finds the sample notes by the questions we ship: nine of ten among the first five", async () => {
    const { code } = await run("run", "--golden", shipped, "--vault", samples, "--min-recall", "0.9");
    expect(code).toBe(0);
  });

  test("makes questions, asks them, and compares two outcomes", async () => {
    const folder = folderWith({});
    const [golden, a, b] = ["golden.jsonl", "a.json", "b.json"].map((name) => join(folder, name));
    const made = await run("make", "--vault", samples, "--golden", golden!, "--json");
    expect(JSON.parse(made.out).alias).toBeGreaterThan(3);
    expect((await run("make", "--vault", samples, "--golden", golden!)).err).toContain("may hold your edits");
    for (const file of [a!, b!])
      expect(await run("run", "--vault", samples, "--golden", golden!, "--out", file)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/hooks would be silent on (?:1\.000|0\.9\d\d) .* of them, and answer 0\.\d/),
      });
    expect(await run("compare", a!, b!)).toMatchObject({ code: 0, out: expect.stringContaining("no worse") });
    const outcome = JSON.parse(readFileSync(b!, "utf8"));
    for (const each of outcome.outcomes) each.rank = null;
    writeFileSync(b!, JSON.stringify(outcome));
    expect((await run("compare", a!, b!)).code).toBe(1);
  }, 60_000);

  test("never passes when nothing was asked, or recall is below what was demanded", async () => {
    const none = join(folderWith({ "g.yml": "cases:\n  - {query: x, expect_none: true}\n" }), "g.yml");
    expect(await run("run", "--vault", samples, "--golden", none)).toMatchObject({
      code: 1,
      err: expect.stringContaining("no question has an expected answer"),
    });
    const wrong = join(folderWith({ "g.yml": "cases:\n  - {query: zebra, expect_slug: commit-messages}\n" }), "g.yml");
    expect((await run("run", "--vault", samples, "--golden", wrong, "--min-recall", "0.5")).code).toBe(1);
    expect((await run("run", "--vault", samples)).err).toContain("gestalt eval make");
  });
});
