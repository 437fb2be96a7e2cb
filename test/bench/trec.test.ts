import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Qrels, Run } from "../../src/bench/judgements.ts";
import { measure } from "../../src/bench/metrics.ts";
import { score } from "../../src/bench/score.ts";
import { formatQrels, formatRun, readQrels, readRun } from "../../src/bench/trec.ts";
import { fileWith } from "./files.ts";
import { shared } from "./shared.ts";

const oracles = shared("oracles");

/** trec_eval's name of each measure of ours that it has. */
const names = new Map<string, string>([
  ["map", "map"],
  ["recip_rank", "mrr"],
  ["ndcg", "ndcg"],
  ["set_P", "precision"],
  ["set_recall", "recall"],
]);
const cuts = new Map([
  ["P", "precision"],
  ["recall", "recall"],
  ["ndcg_cut", "ndcg"],
  ["map_cut", "map"],
  ["success", "success"],
]);

function ours(theirs: string): string | undefined {
  const [, family = "", k] = /^(.+)_(\d+)$/.exec(theirs) ?? [];
  const metric = cuts.get(family);
  return metric === undefined ? names.get(theirs) : `${metric}@${k}`;
}

/** Compares every number that trec_eval printed and we have. Returns how many those were. */
function compare(run: Run, qrels: Qrels, output: string, binary: Qrels = qrels): number {
  const rows = output
    .trim()
    .split("\n")
    .map((line) => line.split("\t").map((column) => column.trim()))
    .flatMap(([theirs = "", query = "", value]) => ({ name: ours(theirs) ?? "", query, value: Number(value) }))
    .filter(({ name }) => name !== "");
  const measures = [...new Set(rows.map(({ name }) => name))].map(measure);
  const byGrade = score(run, qrels, measures);
  const byLevel = score(run, binary, measures);
  const wrong = rows.filter(({ name, query, value }) => {
    const { queries, measures } = name.startsWith("ndcg") ? byGrade : byLevel;
    const summary = measures.get(name);
    const mine = query === "all" ? summary?.mean : summary?.values[queries.indexOf(query)];
    return mine === undefined || Math.abs(mine - value) > 0.0000501;
  });
  expect(wrong).toEqual([]);
  return rows.length;
}

const firstOf = (run: Run, n: number): Run => new Map([...run].map(([query, found]) => [query, found.slice(0, n)]));

/** `-l`: lower grades do not count as relevant. */
const atLeast = (qrels: Qrels, level: number): Qrels =>
  new Map(
    [...qrels].map(([query, judged]) => [
      query,
      new Map([...judged].map(([id, grade]) => [id, grade >= level ? grade : 0])),
    ]),
  );

describe("what trec_eval printed for its own test files", () => {
  const file = (name: string): string => join(oracles.path, "trec_eval", name);
  const output = (name: string): string => readFileSync(file(name), "utf8");

  oracles.test("is what we get", () => {
    const run = readRun(file("results.test"));
    const qrels = readQrels(file("qrels.test"));
    expect(compare(run, qrels, output("out.test"))).toBe(11);
    expect(compare(run, qrels, output("out.test.a"))).toBe(44);
    expect(compare(run, qrels, output("out.test.aq"))).toBe(4 * 44);
  });

  oracles.test("is what we get where the run has lost a query (-c), and looked at 100 deep (-M100)", () => {
    const run = readRun(file("results.trunc"));
    const qrels = readQrels(file("qrels.test"));
    expect(score(run, qrels, []).missing).toBe(1);
    expect(compare(run, qrels, output("out.test.aqc"))).toBe(4 * 44);
    expect(compare(firstOf(run, 100), qrels, output("out.test.aqcM"))).toBe(4 * 44);
  });

  oracles.test("is what we get with grades, and relevance from grade 2 on (-l2)", () => {
    const run = readRun(file("results.test"));
    const qrels = readQrels(file("qrels.rel_level"));
    expect(compare(run, qrels, output("out.test.aql"), atLeast(qrels, 2))).toBe(4 * 44);
  });
});

describe("what trec_eval printed for three real runs", () => {
  const runs = [
    ["fts5-porter.scifact", "scifact", 300],
    ["fts5-porter.nfcorpus", "nfcorpus", 323],
    ["minilm-pca128.scifact", "scifact", 300],
  ] as const;
  for (const [name, set, queries] of runs)
    oracles.test(`is what we get: ${name}`, () => {
      const output = readFileSync(join(oracles.path, `${name}.trec_eval.txt`), "utf8");
      const run = readRun(join(oracles.path, `${name}.trec`));
      expect(compare(run, readQrels(join(oracles.path, `qrels.${set}.trec`)), output)).toBe(5 * (queries + 1));
    });
});

describe("a run", () => {
  const ids = (text: string): readonly string[] | undefined =>
    readRun(fileWith(text))
      .get("q")
      ?.map(({ id }) => id);

  test("is ordered by score, whatever its lines and its rank column say", () => {
    expect(ids("q Q0 a 1 0.1 t\nq Q0 b 2 0.3 t\nq Q0 c 3 -2e1 t\n")).toEqual(["b", "a", "c"]);
  });

  test("is ordered by id where scores tie, highest byte first", () => {
    expect(ids("q Q0 d10 1 5 t\nq Q0 d9 2 5 t\nq Q0 é 3 5 t\nq Q0 D 4 5.0 t\n")).toEqual(["é", "d9", "d10", "D"]);
  });

  test("has its ids compared as bytes of UTF-8, where code units would say otherwise", () => {
    // U+FF5E is EF BD 9E in UTF-8, U+1F600 is F0 9F 98 80, but as code units FF5E is above D83D.
    expect(ids("q Q0 \u{ff5e} 1 5 t\nq Q0 \u{1f600} 2 5 t\n")).toEqual(["\u{1f600}", "\u{ff5e}"]);
  });

  test("has scores that tie when 32-bit floats cannot tell them apart", () => {
    expect(ids("q Q0 a 1 1.00000001 t\nq Q0 b 2 1 t\n")).toEqual(["b", "a"]);
  });

  test("may have tabs, CRLF, a byte order mark, empty lines and more columns", () => {
    expect(ids("\ufeffq\tQ0\ta\t1\t  2.5\tt more\r\n\r\n  q Q0 b 2 3 t\r\n")).toEqual(["b", "a"]);
  });

  test.each([
    ["q Q0 a 1 0.5 t\nq Q0 b 2 0.4\n", ":2: not a line of a run"],
    ["q Q0 a 1 high t\n", ':1: the score "high" is not a number'],
    ["q Q0 a 1 NaN t\n", ':1: the score "NaN" is not a number'],
    ["q Q0 a 1 1e999 t\n", ':1: the score "1e999" is not a number'],
    ["q Q0 a 1 0x1 t\n", ':1: the score "0x1" is not a number'],
    ["q Q0 a 1 3 t\n\nq Q0 a 2 2 t\n", ":3: document a is found twice for query q"],
    ["", "holds no answer"],
    [" \n\r\n", "holds no answer"],
  ])("is refused in one line that names the place: %j", (text, message) => {
    expect(() => readRun(fileWith(text))).toThrow(message);
  });

  test("is refused when it is not there, or not UTF-8", () => {
    expect(() => readRun("no/such/file.trec")).toThrow("no/such/file.trec cannot be read");
    expect(() => readRun(fileWith(new Uint8Array([0x71, 0x20, 0xff, 0x0a])))).toThrow(":1: not UTF-8");
  });

  test("reads back in the order it was written in, ties included", () => {
    const word = fc.stringMatching(/^[a-zé0-9:/#.😀-]{1,8}$/u);
    const found = fc.uniqueArray(
      fc.record({
        id: word,
        score: fc.oneof(fc.constantFrom(0, 1, 0.016393442622950821), fc.double({ min: -1e6, max: 1e6, noNaN: true })),
      }),
      { selector: ({ id }) => id, minLength: 1 },
    );
    fc.assert(
      fc.property(word, found, fc.boolean(), (query, list, sorted) => {
        const run = new Map([[query, sorted ? list.toSorted((a, b) => b.score - a.score) : list]]);
        const back = readRun(fileWith(formatRun(run, "t")));
        expect(back.get(query)?.map(({ id }) => id)).toEqual(run.get(query)?.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  test("keeps its scores when they do not tie", () => {
    const run = new Map([
      [
        "q",
        [
          { id: "a", score: 9.488057561603775 },
          { id: "b", score: 0.25 },
        ],
      ],
    ]);
    expect(formatRun(run, "t")).toBe("q Q0 a 1 9.488057561603775 t\nq Q0 b 2 0.25 t\n");
  });

  test("is not written with an id that would break its lines, nor with a score that is none", () => {
    expect(() => formatRun(new Map([["q 1", [{ id: "a", score: 1 }]]]), "t")).toThrow("white space");
    expect(() => formatRun(new Map([["q", [{ id: "a\nb", score: 1 }]]]), "t")).toThrow("white space");
    expect(() => formatRun(new Map([["q", [{ id: "a", score: Number.NaN }]]]), "t")).toThrow("cannot be written");
    expect(() => formatRun(new Map([["q", [{ id: "a", score: 1e300 }]]]), "t")).toThrow("cannot be written");
  });
});

describe("qrels", () => {
  const expected = new Map([
    [
      "q1",
      new Map([
        ["d1", 2],
        ["d2", 0],
      ]),
    ],
    ["q2", new Map([["d1", 1]])],
  ]);

  test.each([
    ["trec_eval's four columns", "q1 0 d1 2\nq1\t0\td2  -1\nq2 0 d1 1"],
    ["BEIR's three, with its header, CRLF", "query-id\tcorpus-id\tscore\r\nq1\td1\t2\r\nq1\td2\t0\r\nq2\td1\t1\r\n"],
    ["BEIR's three, without a header", "q1\td1\t2\nq1\td2\t0\nq2\td1\t1\n"],
  ])("are read from %s", (_, text) => {
    expect(readQrels(fileWith(text))).toEqual(expected);
  });

  test("keep the spaces within an id where tabs part the columns", () => {
    expect(readQrels(fileWith("q 1\td 1\t1\n"))).toEqual(new Map([["q 1", new Map([["d 1", 1]])]]));
  });

  test.each([
    ["q1 0 d1 1\nq1 0 d1 1\n", ":2: document d1 is judged twice for query q1"],
    ["q1 0 d1 relevant\n", ':1: the grade "relevant" is not a number'],
    ["q1\td1\t\n", ":1: not a judgement"],
    ["q1 d1\n", ":1: not a judgement"],
    ["q1 0 d1 1 extra\n", ":1: not a judgement"],
    ["query-id\tcorpus-id\tscore\n", "holds no judgement"],
    ["q1\td1\t1\nquery-id\tcorpus-id\tscore\n", ':2: the grade "score" is not a number'],
  ])("are refused in one line that names the place: %j", (text, message) => {
    expect(() => readQrels(fileWith(text))).toThrow(message);
  });

  test("read back as they were written", () => {
    expect(readQrels(fileWith(formatQrels(expected)))).toEqual(expected);
  });
});
