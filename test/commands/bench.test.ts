import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import bench from "../../src/commands/bench.ts";
import { group } from "../../src/commands/command.ts";
import evaluate from "../../src/commands/eval.ts";
import reproduce from "../../src/commands/reproduce.ts";
import { folderWith } from "../bench/files.ts";
import { runner } from "./console.ts";

const root = group({
  name: "gestalt",
  description: "Search",
  commands: {
    bench: async () => ({ default: bench }),
    eval: async () => ({ default: evaluate }),
    reproduce: async () => ({ default: reproduce }),
  },
});

const run = runner(root);

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\r\n`).join("");
const data = (change: Readonly<Record<string, string>> = {}) =>
  folderWith({
    "tiny/corpus.jsonl": lines([
      { _id: "a", title: "Retries", text: "a queue that retries failed jobs" },
      { _id: "b", text: "eviction from a cache" },
    ]),
    "tiny/queries.jsonl": lines([
      { _id: "1", text: "failed jobs" },
      { _id: "2", text: "cache eviction" },
    ]),
    "tiny/qrels/test.tsv": "query-id\tcorpus-id\tscore\r\n1\ta\t1\r\n2\tb\t1\r\n",
    ...change,
  });
const tiny = (folder: string) => ["bench", join(folder, "tiny")];

describe("gestalt bench", () => {
  test("prints one object with the scores of each system", async () => {
    const { code, out } = await run(...tiny(data()), "--system", "reference-bm25,lexical", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out).results).toMatchObject([
      { dataset: "tiny", split: "test", system: "reference-bm25", queries: 2, "ndcg@10": 1, ci95: [1, 1] },
      { dataset: "tiny", split: "test", system: "lexical", queries: 2, "ndcg@10": 1 },
    ]);
  });

  test("shows a table, and each system beside the first", async () => {
    const { out } = await run(...tiny(data()), "--system", "grep", "--system", "lexical");
    expect(out).toContain("tiny/test  grep     titled");
    expect(out).toContain("lexical − grep");
  });

  test("leaves results that can be compared, and says what changed", async () => {
    const [folder, results] = [data(), folderWith({})];
    await run(...tiny(folder), "--system", "grep,lexical", "--out", results);
    const [a, b] = ["grep", "lexical"].map((system) => join(results, `tiny.test.${system}.json`));
    const { code, out } = await run("bench", "compare", a!, b!, "--json");
    const [told] = JSON.parse(out).comparisons;
    expect([code, told]).toMatchObject([
      0,
      { from: "tiny.test.grep", to: "tiny.test.lexical", ties: 2, p: 1, holm: 1 },
    ]);
    expect(
      (await run("bench", "score", join(results, "tiny.test.lexical.run"), join(folder, "tiny/qrels/test.tsv"))).out,
    ).toContain("ndcg@10       1.0000");
    expect(readFileSync(a!, "utf8")).not.toContain(results);
  });

  test("says of a part of the data that it is no result", async () => {
    expect((await run(...tiny(data()), "--system", "grep", "--limit-docs", "1")).err).toContain("a try, not a result");
  });

  test("merges shares", async () => {
    const [folder, out] = [data(), folderWith({})];
    for (const share of ["1/2", "2/2"])
      expect((await run(...tiny(folder), "--system", "lexical", "--out", out, "--shard", share)).code).toBe(0);
    expect(existsSync(join(out, "tiny.test.lexical.json"))).toBe(false);
    expect((await run(...tiny(folder), "--system", "lexical", "--out", out)).code).toBe(0);
    expect(existsSync(join(out, "tiny.test.lexical.json"))).toBe(true);
    expect((await run(...tiny(folder), "--shard", "3/2")).err).toContain("not a share such as 1/4");
  });

  test("says beforehand whether all is there", async () => {
    expect(await run(...tiny(data()), "--check")).toMatchObject({ code: 0, out: expect.stringContaining("\ngo") });
    expect(await run("bench", "scifact", "--check")).toMatchObject({ code: 1, out: "no go" });
  });

  test.each([
    [["bench", "scifact"], "the data set scifact is not in"],
    [["bench", "nowhere"], 'no data set "nowhere"'],
    [["bench", "x", "--system", "magic"], 'no system "magic"'],
    [["bench", "score", "no.run", "no.qrels"], "no.run cannot be read"],
    [["bench", "compare", "no.json", "no.json"], "no.json cannot be read"],
    [["bench", "open", "x", "--reason", "y"], "is not sealed"],
  ])("%j stops with one clear line", async (argv, problem) => {
    const { code, err } = await run(...argv);
    expect(code).not.toBe(0);
    expect(err).toContain(problem);
    expect(err).not.toContain("bug");
  });

  test.each([
    ["tiny/corpus.jsonl", '{"_id":"a"}\n{"_id":"a"}\n', "corpus.jsonl:2: document a comes twice"],
    ["tiny/corpus.jsonl", "no json\n", "corpus.jsonl:1: not a JSON object"],
    ["tiny/queries.jsonl", '{"_id":"1","text":" "}\n{"_id":"2","text":"x"}\n', "query 1 is judged, but empty"],
    ["tiny/qrels/test.tsv", "1\tz\t1\n2\tb\t1\n", "judges document z, which is not in"],
    ["tiny/qrels/test.tsv", "9\ta\t1\n", "judges query 9, which is not in"],
    ["tiny/qrels/test.tsv", "1\ta\t0\n2\tb\t0\n", "judges nothing as relevant"],
  ])("with %s broken as %j says so", async (file, text, problem) => {
    const { code, err } = await run(...tiny(data({ [file]: text })));
    expect([code, err]).toEqual([1, expect.stringContaining(problem)]);
  });
});

describe("gestalt reproduce", () => {
  test("without any data is exit code 2, with a reason for every cell", async () => {
    const { code, out } = await run("reproduce", "--json");
    expect(code).toBe(2);
    const { results, code: hashes } = JSON.parse(out);
    expect(results.length).toBeGreaterThan(0);
    for (const row of results) expect(row).toMatchObject({ outcome: "not measured", because: expect.any(String) });
    expect(hashes.store).toMatch(/^[0-9a-f]{64}$/);
  });
});
