import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { loadBeir } from "../../src/bench/beir.ts";
import { calibrate, isDev, plattOf, type Sample } from "../../src/bench/calibration.ts";
import { open, refuseSealed, seal, verify } from "../../src/bench/heldout.ts";
import { beirTask, questionsOf } from "../../src/bench/task.ts";
import { fusionGrid, halves, mayChoose } from "../../src/bench/tuning.ts";
import { folderWith } from "./files.ts";

describe("Platt scaling", () => {
  test("of two signals finds the log-odds of each: with shares 1/4 and 3/4, −ln 3 and ln 3", () => {
    const at = (signal: number, right: number): Sample[] =>
      Array.from({ length: 400 }, (_, i) => ({ id: `${signal}-${i}`, signal, right: i < right }));
    const { scale, offset } = plattOf([...at(0, 100), ...at(1, 300)]);
    expect(offset).toBeCloseTo(-Math.log(3), 3);
    expect(scale + offset).toBeCloseTo(Math.log(3), 3);
  });

  test("stays finite for whatever it is given, and gives a higher signal no less confidence when right answers have it", () => {
    const samples = fc.array(
      fc.record({ id: fc.string(), signal: fc.double({ min: -1e6, max: 1e6, noNaN: true }), right: fc.boolean() }),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(samples, (given) => {
        const { scale, offset } = plattOf(given);
        expect(Number.isFinite(scale) && Number.isFinite(offset)).toBe(true);
      }),
    );
    expect(plattOf([1, 2, 3, 4].map((signal) => ({ id: "x", signal, right: signal > 2 }))).scale).toBeGreaterThan(0);
  });
});

describe("a calibration", () => {
  const samples = Array.from({ length: 400 }, (_, i) => ({
    id: `q${i}`,
    signal: (i * 37) % 100,
    right: (i * 37) % 100 > 40 + (i % 30),
  }));

  test("is fitted on one half and judged on the other", () => {
    const { dev, test, auroc, aurocCi95, ece, risk } = calibrate(samples);
    expect([dev, test]).toEqual([
      samples.filter(({ id }) => isDev(id)).length,
      samples.filter(({ id }) => !isDev(id)).length,
    ]);
    expect(auroc).toBeGreaterThan(0.9);
    expect(aurocCi95.low <= auroc && auroc <= aurocCi95.high).toBe(true);
    expect(ece).toBeLessThan(0.15);
    expect(risk).toHaveLength(20);
    expect(risk[0]!.risk).toBeLessThan(risk[19]!.risk);
  });

  test("of answers that are all right says that it cannot be made", () => {
    expect(() => calibrate(samples.map((sample) => ({ ...sample, right: true })))).toThrow("only right or only wrong");
    expect(() => calibrate([])).toThrow("only right or only wrong");
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
