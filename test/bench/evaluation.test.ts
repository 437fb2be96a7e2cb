import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { askAll, type Notes } from "../../src/bench/ask.ts";
import { readEvaluation } from "../../src/bench/evaluation.ts";
import type { Outcome } from "../../src/bench/examine.ts";
import { formatCases, readGolden } from "../../src/bench/golden.ts";
import { auroc, grade } from "../../src/bench/grade.ts";
import { makeCases } from "../../src/bench/make.ts";
import { compareEvaluations, type Evaluation } from "../../src/bench/regression.ts";
import { writeReport } from "../../src/bench/report.ts";
import { fileWith, folderWith } from "./files.ts";
import { plainSettings } from "./settings.ts";

const files = {
  "retry.md":
    "---\ntitle: Retries\naliases: [second attempt]\nsummary: How a job is tried again\n---\n\n# Retries\n\n## Growing delay ^delay\n\nEach wait is twice as long.\n\n## Jitter\n\nA random part.\n\n## See also this\n\nNothing.\n",
  "sub/mail.md":
    "# Mail\n\n## See also this\n\nWorkers came back together, see [the doubled waiting time](../retry.md#delay) for the cure. Nothing else helped.\n\nAlso [[retry]].\n",
  "secret.md": "---\nsensitivity: restricted\naliases: [a password]\n---\n\n# Secret\n\n## The safe\n\nx\n",
};

function vault(): Notes {
  const folder = folderWith(files);
  const root = folderWith({});
  const place = {
    vaults: [{ name: "notes", root: folder }],
    db: join(root, "i.db"),
    vectors: join(root, "v.db"),
    models: root,
    why: "a test",
  };
  return { place, settings: plainSettings() };
}

describe("questions made from notes", () => {
  const made = async () => (await makeCases(vault())).filter(({ bucket }) => bucket !== "negative");

  test("ask with a link's words, the sentence around it, headings, aliases and summaries, each for what they name", async () => {
    const asked = (await made()).map(({ made, query, accept, block }) => [made, query, ...accept, block]);
    expect(asked).toContainEqual(["alias", "second attempt", "retry.md", undefined]);
    expect(asked).toContainEqual(["summary", "How a job is tried again", "retry.md", undefined]);
    expect(asked).toContainEqual(["heading", "Growing delay", "retry.md", "delay"]);
    expect(asked).toContainEqual(["link", "the doubled waiting time", "retry.md", "delay"]);
    expect(asked).toContainEqual([
      "sentence",
      "Workers came back together, see the doubled waiting time for the cure.",
      "retry.md",
      "delay",
    ]);
  });

  test("tell nothing of a restricted note, and ask nothing with one word", async () => {
    const words = (await made()).map(({ query }) => query);
    expect(words).not.toContain("a password");
    expect(words).not.toContain("The safe");
    expect(words).not.toContain("Jitter");
  });

  test("never ask with words that stand for several things", async () => {
    expect((await made()).map(({ query }) => query)).not.toContain("See also this");
  });

  test("are the same each time, and stay the same when they are written and read", async () => {
    const cases = await makeCases(vault());
    expect(await makeCases(vault())).toEqual(cases);
    const file = join(folderWith({}), "golden.jsonl");
    writeFileSync(file, formatCases(cases));
    expect((await readGolden(file)).cases).toEqual([...cases]);
  });

  test("are asked of an index without the field they were made from, and not answered by the note that asks", async () => {
    const notes = vault();
    const cases = (await makeCases(notes)).filter(({ made }) => made === "alias" || made === "sentence");
    const outcomes = new Map(
      (await askAll(cases, notes, { mode: "lexical", strictness: 0.98 }, () => {})).map((one) => [one.query, one]),
    );
    // Without the alias no note has these words.
    expect(outcomes.get("second attempt")).toMatchObject({ rank: null, top: null });
    // The sentence stands in mail.md alone; with that passed over, only retry.md can answer.
    expect(outcomes.get("Workers came back together, see the doubled waiting time for the cure.")?.rank ?? 1).toBe(1);
  });
});

describe("a golden set", () => {
  test("of the reference's form is read, and the one we ship", async () => {
    const yaml =
      "cases:\n  - query: a\n    expect_slug: x\n    expect_any: [y, x]\n    expect_block: ^b\n    bucket: hard\n  - query: b\n    expect_none: true\nfamilies: [[x, y]]\n";
    const file = join(folderWith({ "g.yml": yaml }), "g.yml");
    const { cases, families } = await readGolden(file);
    expect(cases).toMatchObject([
      { id: "case-1", accept: ["x", "y"], block: "b", bucket: "hard" },
      { id: "case-2", accept: [], bucket: "negative" },
    ]);
    expect(families).toEqual([["x", "y"]]);
    const ours = await readGolden(join(import.meta.dir, "../../bench/golden/knowledge.yml"));
    expect(ours.cases.length).toBeGreaterThanOrEqual(13);
  });

  test.each([
    ["cases: []", "holds no question"],
    ["{", "is not YAML"],
    ["cases:\n  - query: ''\n    expect_slug: x", "case 1: no query"],
    ["cases:\n  - query: a", "case 1: it expects either notes"],
    ["cases:\n  - {query: a, expect_slug: x, expect_none: true}", "case 1: it expects either notes"],
    ["cases:\n  - {id: i, query: a, expect_slug: x}\n  - {id: i, query: b, expect_slug: x}", "the case i comes twice"],
  ])("that is broken is one clear line: %j", async (text, problem) => {
    await expect(readGolden(fileWith(text))).rejects.toThrow(problem);
  });
});

const outcome = (id: string, rank: number | null, accept = [id], top: number | null = 1): Outcome => ({
  id,
  bucket: "all",
  query: id,
  accept,
  negative: accept.length === 0,
  rank,
  block: null,
  top,
  mode: "lexical",
  served: rank === 1,
});

describe("grades", () => {
  test("by hand: ranks 1, 3, none and 5", () => {
    const { all } = grade([outcome("a", 1), outcome("b", 3), outcome("c", null), outcome("d", 5)]);
    expect([all.recall1.share, all.recall3.share, all.recall5.share]).toEqual([1 / 4, 2 / 4, 3 / 4]);
    expect(all.mrr).toBeCloseTo((1 + 1 / 3 + 0 + 1 / 5) / 4, 12);
  });

  test("tell how often hooks are silent where there is no answer, and speak where one is near the top", () => {
    const asked = [outcome("a", 1), outcome("b", 3), outcome("c", 4)];
    const negatives = [outcome("n", null, []), outcome("m", 1, []), outcome("o", null, []), outcome("p", null, [])];
    const { silent, served } = grade([...asked, ...negatives]);
    expect([silent?.share, silent?.n, served?.share, served?.n]).toEqual([3 / 4, 4, 1 / 2, 2]);
    expect(grade([outcome("c", null)])).toMatchObject({ silent: null, served: null });
  });

  test("of nothing, or of questions that expect nothing, are an error and not a pass", () => {
    expect(() => grade([])).toThrow("no question has an expected answer");
    expect(() => grade([outcome("n", null, [])])).toThrow("no question has an expected answer");
  });

  test("tell answered from unanswerable by the share of pairs in the right order", () => {
    // 3 of 4 pairs are right, one is equal: 3.5 / 4 … 2 > 1, 2 > 2 (half), 3 > 1, 3 > 2.
    expect(auroc([2, 3], [1, 2])).toBe(3.5 / 4);
    const scores = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(fc.property(scores, scores, (a, b) => expect(auroc(a, b) + auroc(b, a)).toBeCloseTo(1, 9)));
  });

  test("make a page that holds the numbers and what was not found", () => {
    const folder = folderWith({});
    const outcomes = [outcome("a", 1), outcome("lost | one", null), outcome("n", null, [])];
    writeReport(folder, { golden: "g.yml", system: "lexical", grades: grade(outcomes), outcomes });
    expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("| all | 2 | 0.500");
    expect(readFileSync(join(folder, "recall.svg"), "utf8")).toStartWith("<svg ");
  });
});

describe("a comparison of evaluations", () => {
  const evaluation = (outcomes: readonly Outcome[], golden = "g"): Evaluation => ({
    golden,
    system: "lexical",
    outcomes,
    families: [],
  });
  const all = (rank: number | null) => Array.from({ length: 20 }, (_, i) => outcome(`q${i}`, i < 6 ? rank : 1));

  test("finds that six of twenty were lost, and names them", () => {
    const [first] = compareEvaluations(evaluation(all(1)), evaluation(all(null)));
    expect(first).toMatchObject({ k: 1, before: 20, after: 14, regressed: true });
    expect(first?.lost).toEqual(["q0", "q1", "q2", "q3", "q4", "q5"]);
  });

  test("lets one loss pass, as an accident", () => {
    const one = all(1).map((each, i) => (i === 0 ? { ...each, rank: null } : each));
    expect(compareEvaluations(evaluation(all(1)), evaluation(one)).some(({ regressed }) => regressed)).toBe(false);
  });

  test("counts cases that share a note as one piece of evidence", () => {
    const shared = (rank: number | null) =>
      all(rank).map((each, i) => (i < 6 ? { ...each, accept: ["one", each.id] } : each));
    // Six losses in one cluster: in more than a third of resamples that cluster is not drawn at all.
    const [first] = compareEvaluations(evaluation(shared(1)), evaluation(shared(null)));
    expect(first).toMatchObject({ high: 0, regressed: false });
  });

  test("of other questions, another golden set or another system is an error", () => {
    expect(() => compareEvaluations(evaluation(all(1)), evaluation(all(1), "h"))).toThrow("the golden sets differ");
    expect(() => compareEvaluations(evaluation(all(1).slice(1)), evaluation(all(1)))).toThrow("the same questions");
    expect(() => compareEvaluations(evaluation([]), evaluation([]))).toThrow("the same questions");
    expect(() => readEvaluation(fileWith("[]"))).toThrow("is no outcome");
    expect(() => readEvaluation(fileWith('{"golden":"g","system":"s","outcomes":[]}'))).toThrow("is no outcome");
  });
});
