import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { loadBeir } from "../../src/bench/beir.ts";
import { calibrate, isDev, type Sample } from "../../src/bench/calibration.ts";
import { signals } from "../../src/bench/confidence-signals.ts";
import { aurocTest, worthOf } from "../../src/bench/discrimination.ts";
import { open, refuseSealed, seal, verify } from "../../src/bench/heldout.ts";
import { plattOf } from "../../src/bench/platt.ts";
import { beirTask, questionsOf } from "../../src/bench/task.ts";
import { fusionGrid, halves, mayChoose } from "../../src/bench/tuning.ts";
import { folderWith } from "./files.ts";

describe("Platt scaling", () => {
  test("of two signals finds the log-odds of each: with shares 1/4 and 3/4, −ln 3 and ln 3", () => {
    const at = (signal: number, right: number) => Array.from({ length: 400 }, (_, i) => ({ signal, right: i < right }));
    const { scale, offset } = plattOf([...at(0, 100), ...at(1, 300)]);
    expect(offset).toBeCloseTo(-Math.log(3), 3);
    expect(scale + offset).toBeCloseTo(Math.log(3), 3);
  });

  test("stays finite for whatever it is given, and gives a higher signal no less confidence when right answers have it", () => {
    const samples = fc.array(
      fc.record({ signal: fc.double({ min: -1e6, max: 1e6, noNaN: true }), right: fc.boolean() }),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(samples, (given) => {
        const { scale, offset } = plattOf(given);
        expect(Number.isFinite(scale) && Number.isFinite(offset)).toBe(true);
      }),
    );
    expect(plattOf([1, 2, 3, 4].map((signal) => ({ signal, right: signal > 2 }))).scale).toBeGreaterThan(0);
  });
});

describe("a calibration", () => {
  const samples = Array.from({ length: 400 }, (_, i): Sample => {
    const score = (i * 37) % 100;
    return { id: `q${i}`, found: [{ id: "d", score }], right: score > 40 + (i % 30) };
  });
  const draws = { rounds: 200 };

  test("is fitted on one half and judged on the other", () => {
    const { calibration, test, p } = calibrate(samples, draws)["top1"]!;
    expect([calibration.dev, test.questions]).toEqual([
      samples.filter(({ id }) => isDev(id)).length,
      samples.filter(({ id }) => !isDev(id)).length,
    ]);
    expect(calibration).toMatchObject({ status: "ok", scale: expect.any(Number), offset: expect.any(Number) });
    expect(test.auroc.value).toBeGreaterThan(0.9);
    expect(test.ece.value).toBeLessThan(0.15);
    expect(test.risk).toHaveLength(20);
    expect(test.risk[0]!.risk).toBeLessThan(test.risk[19]!.risk);
    expect(test.selective.map(({ coverage }) => coverage)).toEqual([0.9, 0.8, 0.7]);
    for (const { value, ci95 } of [test.auroc, test.ece, test.aurc, ...test.selective.map((each) => each.accuracy)])
      expect(ci95.low <= value && value <= ci95.high + 0.05).toBe(true);
    expect(p).toBeUndefined();
  });

  test("tells only the signals that every answer has, each beside the first hit's score", () => {
    const told = calibrate(samples, draws);
    expect(Object.keys(told)).toEqual(["top1", "margin", "entropy", "n_above"]);
    expect(told["margin"]?.p).toBeGreaterThan(0);
    const both = samples.map((sample) => ({ ...sample, words: sample.found, meaning: sample.found }));
    expect(Object.keys(calibrate(both, draws))).toEqual(Object.keys(signals));
  });

  test("of answers that are all right says that it cannot be made", () => {
    expect(() => calibrate(samples.map((sample) => ({ ...sample, right: true })))).toThrow("all were answered rightly");
    expect(() => calibrate([])).toThrow("of the 0 questions of one half none were answered rightly");
  });
});

describe("the signals of an answer, by hand", () => {
  const found = [3, 1, 1].map((score, i) => ({ id: `d${i}`, score }));
  const of = (name: string, more = {}) => signals[name]!({ found, ...more }, 1);

  test.each([
    ["top1", {}, 3],
    ["top1", { sure: -7 }, -7],
    ["margin", {}, 2],
    // Shares e²/(e²+2), and 1/(e²+2) twice: the sum of −p·ln p is ln(e²+2) − 2e²/(e²+2).
    ["entropy", {}, (2 * Math.E ** 2) / (Math.E ** 2 + 2) - Math.log(Math.E ** 2 + 2)],
    ["n_above", {}, 1],
    ["dense_top", { meaning: found }, 3],
    ["bm25_top", { words: found }, 3],
    // d0 is first on both sides, d1 second: 2/61 − 2/62.
    ["rrf_margin", { words: found, meaning: found }, 2 / 61 - 2 / 62],
  ] as const)("%s of %j", (name, more, value) => {
    expect(of(name, more)).toBeCloseTo(value, 4);
  });

  test("are missing where nothing was found, or nobody looked", () => {
    expect(signals["top1"]!({ found: [] }, 0)).toBeUndefined();
    expect([of("dense_top"), of("rrf_margin", { words: found })]).toEqual([undefined, undefined]);
  });
});

describe("what a confidence is worth, by hand", () => {
  const sure = [
    [0.9, true],
    [0.8, true],
    [0.4, false],
    [0.3, true],
  ].map(([p, right]) => ({ p: Number(p), signal: Number(p), right: right === true }));

  test("two of three pairs are in order; leaving out a tenth leaves out none", () => {
    const { auroc, ece, selective, risk } = worthOf(sure, { rounds: 50 });
    expect(auroc.value).toBeCloseTo(2 / 3, 12);
    // Each has a bin of its own: 0.1 + 0.2 + 0.4 + 0.7 over four.
    expect(ece.value).toBeCloseTo(0.35, 12);
    expect(selective[0]).toMatchObject({ accuracy: { value: 0.75 }, gap: null });
    // Three are kept at 0.8 and 0.7: two of them right, where an oracle would have three.
    expect(selective[2]!.accuracy.value).toBeCloseTo(2 / 3, 12);
    expect(selective[2]!.gap).toBeCloseTo((2 / 3 - 0.75) / 0.25, 12);
    expect(risk.at(-1)).toEqual({ coverage: 1, risk: 0.25 });
  });

  test("two signals that order alike cannot be told apart, and a good one can from a bad one", () => {
    const right = Array.from({ length: 60 }, (_, i) => i % 2 === 0);
    const good = right.map((is, i) => (is ? 100 : 0) + i);
    const bad = right.map((_, i) => (i * 7919) % 61);
    expect(
      aurocTest(
        good,
        good.map((x) => x * 2),
        right,
        { rounds: 100 },
      ),
    ).toBe(1);
    expect(aurocTest(good, bad, right, { rounds: 1000 })).toBeLessThan(0.01);
  });
});

const collection = () =>
  folderWith({
    "corpus.jsonl": '{"_id":"d","text":"a"}\n',
    "queries.jsonl": Array.from({ length: 40 }, (_, i) => `{"_id":"q${i}","text":"a"}\n`).join(""),
    "qrels/test.tsv": Array.from({ length: 40 }, (_, i) => `q${i}\td\t1\n`).join(""),
  });

describe("a sealed set", () => {
  const day = new Date("2026-01-02T03:04:05Z");

  test("is not loaded before it is opened with a reason, and a second time only when that is asked for", () => {
    const [seals, dir] = [folderWith({}), collection()];
    seal(seals, "new", dir, "test", day);
    expect(() => refuseSealed(seals, "new")).toThrow("new is sealed");
    expect(() => open(seals, "new", " ", false, day)).toThrow("needs a reason");
    expect(open(seals, "new", "the release", false, day).openings).toHaveLength(1);
    expect(() => refuseSealed(seals, "new")).not.toThrow();
    expect(() => open(seals, "new", "again", false, day)).toThrow("opened before: the release");
    expect(open(seals, "new", "again", true, day).openings.map(({ reason }) => reason)).toEqual([
      "the release",
      "again",
    ]);
    expect(() => refuseSealed(seals, "another")).not.toThrow();
  });

  test("is as it was until a file changes, comes or goes", () => {
    const [seals, dir] = [folderWith({}), collection()];
    seal(seals, "new", dir, "test", day);
    expect(verify(seals, "new", dir)).toEqual([]);
    writeFileSync(join(dir, "corpus.jsonl"), '{"_id":"d","text":"b"}\n');
    writeFileSync(join(dir, "more.txt"), "");
    expect(verify(seals, "new", dir)).toEqual(["corpus.jsonl has changed", "more.txt is new"]);
    expect(() => seal(seals, "new", dir, "test", day)).toThrow("sealed already");
    expect(() => verify(seals, "other", dir)).toThrow("other is not sealed");
  });
});

describe("tuning", () => {
  test("chooses by other questions than it reports on", () => {
    // A fixed name: the halves depend on it.
    const load = () => beirTask(loadBeir(collection(), "test", "x"), { ceiling: 2000, overlap: 150 });
    const { choose, report } = halves([], load);
    const [a, b] = [questionsOf(choose), questionsOf(report)].map((questions) => questions.map(({ id }) => id));
    expect([...a!, ...b!].sort()).toEqual(
      questionsOf(load())
        .map(({ id }) => id)
        .sort(),
    );
    expect(a!.filter((id) => b!.includes(id))).toEqual([]);
    expect([choose.split, report.split]).toEqual(["test-choose", "test-report"]);
    expect(a!.length).toBeGreaterThan(b!.length);
  });

  test("puts a question where the reference puts it: sha1 of salt and id, modulo ten, below seven", () => {
    // python3 -c "import hashlib;print([int(hashlib.sha1(f'tune-fusion-grid:x:q{i}'.encode()).hexdigest(),16)%10 for i in range(6)])" gives [3, 4, 8, 8, 1, 9]
    expect([0, 1, 2, 3, 4, 5].map((i) => mayChoose("x", `q${i}`))).toEqual([true, true, false, false, true, false]);
  });

  test("has each candidate once", () => {
    expect(new Set(fusionGrid.map(({ name }) => name)).size).toBe(fusionGrid.length);
  });
});
