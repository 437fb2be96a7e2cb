import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { reached } from "../../src/bench/code-macro.ts";
import { compare, compareLast, storedComparisons } from "../../src/bench/compare.ts";
import { percentile } from "../../src/bench/cost.ts";
import { type Expected, exitCodeOf, expectedRows, judge } from "../../src/bench/expected.ts";
import { inspect } from "../../src/bench/gate.ts";
import { loadTasks } from "../../src/bench/load.ts";
import { filled } from "../../src/bench/prose.ts";
import { readScores, type Scores } from "../../src/bench/result.ts";
import { mean } from "../../src/bench/statistics.ts";
import { scatter } from "../../src/bench/svg.ts";
import { syntheticNotes } from "../../src/bench/synthetic.ts";
import { folderWith } from "./files.ts";

describe("a promise", () => {
  const promise: Expected = {
    dataset: "d",
    split: "test",
    system: "lexical",
    profile: null,
    reranker: null,
    ndcg10: 0.6824,
    ci95: null,
    tolerance: 0.005,
    source: "a test",
  };
  const verdict = (mean: number, ci95: readonly [number, number] = [0, 1], expected = promise) =>
    judge(expected, { measures: { "ndcg@10": { mean, ci95, values: [mean] } } }).outcome;

  test("is kept to the digits that were published, nearly, or not", () => {
    expect(verdict(0.68242)).toBe("exact");
    expect(verdict(0.6825)).toBe("near");
    expect(verdict(0.6874)).toBe("near");
    expect(verdict(0.6875)).toBe("off");
    expect(verdict(0.6771)).toBe("off");
  });

  test("of an interval is not kept exactly by a mean alone", () => {
    const withInterval = { ...promise, ci95: [0.6378, 0.7251] };
    expect(verdict(0.6824, [0.6378, 0.7251], withInterval)).toBe("exact");
    expect(verdict(0.6824, [0.6377, 0.7251], withInterval)).toBe("near");
  });

  test("that nobody could measure is neither a pass nor a failure, and nothing but such is exit code 2", () => {
    const [near, off, none] = [
      { outcome: "near", measured: 1 },
      { outcome: "off", measured: 1 },
      { outcome: "not measured", because: "no data" },
    ] as const;
    expect([[near, none], [near, off], [none, none], []].map(exitCodeOf)).toEqual([0, 1, 2, 2]);
  });

  test("of every row is for a known data set", () => {
    expect(expectedRows().map(({ ndcg10 }) => ndcg10 === null || (ndcg10 > 0 && ndcg10 < 1))).not.toContain(false);
  });
});

describe("the code that a score depends on", () => {
  test.each([
    "bench/metrics/ndcg.ts",
    "bench/significance.ts",
    "engine/pipeline.ts",
    "models/pooling.ts",
    "notes/parse.ts",
    "rank/consensus.ts",
    "store/cosines.ts",
    "store/lexical.ts",
    "store/products.ts",
  ])("has %s in it", (file) => {
    expect([...reached().code.keys()]).toContain(file);
  });

  test("imports nothing late of which nobody has said whether it takes part", () => {
    expect(reached().unnamed).toEqual([]);
  });
});

describe("the gate", () => {
  const result = JSON.stringify({
    measures: { "ndcg@10": { mean: 0.70192, ci95: [0.6559, 0.7461], values: [0.4321] } },
  });
  const checkout = (readme: string) =>
    folderWith({ "README.md": readme, "knowledge/a.md": "Fine: 0.7019.\n", "bench/results/a.json": result });

  test("lets scores pass that a stored result has, rounded as they are written", () => {
    expect(
      inspect(checkout("We reach 0.702 (0.656 to 0.746); the reference 0.6824. Version 0.1.0, 0.5 s, 10.7777 ms.")),
    ).toEqual({
      strays: [],
      stale: [],
    });
  });

  test("names file and line of a score that nobody measured, a single query's too", () => {
    expect(inspect(checkout("First.\nWe reach 0.999.\nAnd 0.4321.")).strays).toEqual([
      { file: "README.md", line: 2, number: "0.999" },
      { file: "README.md", line: 3, number: "0.4321" },
    ]);
  });

  test("passes over what says that it is a scratch, and why, and counts the lines behind it", () => {
    const text =
      "<!-- scratch: while it was built -->\n0.9991\n<!-- /scratch -->\n0.9992\n<!-- scratch: -->\n0.9993\n<!-- /scratch -->";
    expect(inspect(checkout(text)).strays.map(({ line, number }) => [line, number])).toEqual([
      [4, "0.9992"],
      [6, "0.9993"],
    ]);
  });

  test("names results of other code, and refuses where there is nothing to compare with", () => {
    const old = folderWith({ "README.md": "", "knowledge/a.md": "", "bench/results/a.json": '{"code":{"store":"x"}}' });
    expect(inspect(old).stale[0]?.rooms).toContain("store");
    expect(() => inspect(folderWith({ "README.md": "" }))).toThrow("holds no result");
    expect(() => inspect(folderWith({ "bench/results/a.json": "{" }))).toThrow("a.json cannot be read");
  });
});

describe("a table in prose", () => {
  const results = () =>
    folderWith({
      "tiny.test.lexical.json": JSON.stringify({ measures: { "ndcg@10": { mean: 0.70192, ci95: [0.6559, 0.7461] } } }),
    });
  const text = "a\n<!-- scores: tiny other/dev | lexical hybrid -->\nold\n<!-- /scores -->\nb\n";

  test("is filled from stored results, with a dash for what was not measured, and stays as it is the second time", () => {
    const made = filled(text, results());
    expect(made).toBe(
      "a\n<!-- scores: tiny other/dev | lexical hybrid -->\n| nDCG@10 | tiny | other/dev |\n| --- | --- | --- |\n| lexical | 0.7019 (0.656–0.746) | – |\n| hybrid | – | – |\n<!-- /scores -->\nb\n",
    );
    expect(filled(made, results())).toBe(made);
  });

  test("tells what hybrid has more than each leg, where that was compared", () => {
    const compared = { from: "tiny.test.dense", to: "tiny.test.hybrid", difference: 0.0319, holm: 0.0032 };
    const folder = folderWith({
      "comparison.tiny.test.json": JSON.stringify({
        comparisons: [{ ...compared, ci95: { low: -0.0012, high: 0.044 } }],
      }),
    });
    expect(filled("<!-- differences: tiny other | dense lexical -->\n<!-- /differences -->", folder)).toBe(
      "<!-- differences: tiny other | dense lexical -->\n| nDCG@10 of hybrid, less that of | tiny | other |\n| --- | --- | --- |\n| dense | +0.0319 (−0.001 to +0.044), p 0.0032 | – |\n| lexical | – | – |\n<!-- /differences -->",
    );
  });
});

describe("a comparison", () => {
  const scores = (name: string, values: readonly number[]): Scores => ({
    name,
    byQuery: new Map(values.map((value, i) => [`q${i}`, value])),
    clusters: undefined,
  });

  test("counts better, worse and same, and shows the largest change first", () => {
    const { difference, wins, losses, ties, changes } = compare(
      scores("a", [0, 1, 0.5, 0.5]),
      scores("b", [1, 0.75, 0.5, 0.75]),
    );
    expect({ difference, wins, losses, ties }).toEqual({ difference: 0.25, wins: 2, losses: 1, ties: 1 });
    expect(changes.map(({ query }) => query)).toEqual(["q0", "q1", "q3"]);
  });

  test("of several is of the last with each before it, p-values corrected for how many there are", () => {
    const [worse, same] = compareLast([
      scores("a", [0, 0, 0, 0]),
      scores("b", [1, 1, 1, 1]),
      scores("c", [1, 1, 1, 1]),
    ]);
    expect([worse, same]).toMatchObject([
      { from: "a", to: "c", difference: 1, wins: 4 },
      { from: "b", to: "c", difference: 0, p: 1, holm: 1 },
    ]);
    expect(worse?.holm).toBeCloseTo(2 * (worse?.p ?? 0), 12);
  });

  test("that is stored is what the stored results give", () => {
    const folder = join(import.meta.dir, "../../bench/results");
    const stored = readdirSync(folder).filter((file) => file.startsWith("comparison."));
    expect(stored.length).toBeGreaterThan(1);
    for (const file of stored) {
      const text = readFileSync(join(folder, file), "utf8");
      const { measure, comparisons } = JSON.parse(text);
      const names: string[] = [...comparisons.map(({ from }: { from: string }) => from), comparisons[0].to];
      const results = names.map((name) => {
        const path = join(folder, `${name}.json`);
        return readScores(path, readFileSync(path, "utf8"), measure);
      });
      const means = results.map(({ byQuery }) => mean([...byQuery.values()]));
      for (const [i, { fromMean, toMean }] of comparisons.entries()) {
        expect(fromMean).toBeCloseTo(means[i]!, 12);
        expect(toMean).toBeCloseTo(means.at(-1)!, 12);
      }
      // Draws take their time: all figures of the smallest set stand for those of the others.
      if (results[0]!.byQuery.size <= 100)
        expect(JSON.parse(storedComparisons(measure, compareLast(results)))).toEqual(JSON.parse(text));
    }
  });

  test("of a system with itself shows nothing", () => {
    expect(compare(scores("a", [0.1, 0.2]), scores("a", [0.1, 0.2]))).toMatchObject({ difference: 0, p: 1, ties: 2 });
  });

  test("of other queries, or of what is no result, is an error", () => {
    expect(() => compare(scores("a", [1]), scores("b", [1, 1]))).toThrow("query q1 is in one of a and b only");
    expect(() => readScores("f", "[]", "mrr")).toThrow("f is not a result");
    expect(() => readScores("f", "{", "mrr")).toThrow("f is not JSON");
    expect(() => readScores("f", '{"queries":["q"],"measures":{}}', "mrr")).toThrow("holds no mrr");
  });
});

describe("a name of a data set", () => {
  const options = { data: [], cutting: { ceiling: 2000, overlap: 150 } };
  const folder = (splits: readonly string[]) =>
    folderWith({
      "corpus.jsonl": '{"_id":"d","text":"a"}\n',
      "queries.jsonl": '{"_id":"q","text":"a"}\n',
      ...Object.fromEntries(splits.map((split) => [`qrels/${split}.tsv`, "q\td\t1\n"])),
    });

  test("that is not at hand is an error, never an empty score", () => {
    expect(() => loadTasks("scifact", { ...options, data: [folder([])] })).toThrow("the data set scifact is not in");
    expect(() => loadTasks("locomo", { ...options, data: [folder([])] })).toThrow("the data set locomo is not at hand");
    expect(() => loadTasks("nowhere", options)).toThrow('no data set "nowhere"');
  });

  test("that is a folder takes its test split, or its only one, or asks which", () => {
    expect(loadTasks(folder(["dev", "test"]), options)[0]?.split).toBe("test");
    expect(loadTasks(folder(["dev"]), options)[0]?.split).toBe("dev");
    expect(() => loadTasks(folder(["dev", "train"]), options)).toThrow("has several splits: dev, train");
  });

  test("of conversations takes a level for its split", () => {
    expect(() => loadTasks("locomo", { ...options, split: "test" })).toThrow('locomo has no level "test"');
  });
});

test("a percentile is a value that is there", () => {
  expect([0.5, 0.95, 1].map((share) => percentile([4, 1, 3, 2], share))).toEqual([2, 4, 4]);
  expect(() => percentile([], 0.5)).toThrow("no values");
});

test("made-up notes are the same each time, about as long as real ones, and link to notes that exist", () => {
  const notes = [...syntheticNotes(50)];
  expect([...syntheticNotes(50)]).toEqual(notes);
  expect(new Set(notes.map(({ path }) => path)).size).toBe(50);
  const bytes = notes.reduce((sum, { text }) => sum + text.length, 0) / 50;
  expect(bytes > 800 && bytes < 3000).toBe(true);
  const names = new Set(notes.map(({ path }) => path.replace(/^.*note-|\.md$/g, "")));
  for (const { text } of notes) expect(names).toContain(/\[\[note-(\d+)\]\]/.exec(text)?.[1] ?? "");
});

test("a plot is XML whatever its names are, with every point inside", () => {
  const point = fc.record({
    label: fc.string({ unit: "binary" }),
    x: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
    ours: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 8 }), fc.boolean(), (points, logX) => {
      const svg = scatter({ title: "<t>", x: "x & y", y: "y", logX, points });
      expect(svg).not.toMatch(/NaN|Infinity|<t>| & /);
      for (const [, x, y] of svg.matchAll(/cx="([^"]+)" cy="([^"]+)"/g))
        expect(Number(x) >= 0 && Number(x) <= 720 && Number(y) >= 0 && Number(y) <= 440).toBe(true);
    }),
  );
});
