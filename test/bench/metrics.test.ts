import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Judgements } from "../../src/bench/judgements.ts";
import { defaultMeasures, measure, metrics } from "../../src/bench/metrics.ts";

// Few ids, so that answers and judgements meet.
const id = fc.constantFrom(..."abcdefghij");
const judgements = fc.array(fc.tuple(id, fc.nat(4))).map((rows): Judgements => new Map(rows));
const answer = fc.uniqueArray(id);
const depth = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Number.POSITIVE_INFINITY));

const bestFirst = (judged: Judgements): string[] => [...judged].sort((a, b) => b[1] - a[1]).map(([name]) => name);
const relevant = (judged: Judgements): number => [...judged.values()].filter((grade) => grade > 0).length;

describe.each(Object.entries(metrics))("%s", (_, metric) => {
  test("lies within 0 and 1", () => {
    fc.assert(
      fc.property(answer, judgements, depth, (ranked, judged, k) => {
        const value = metric(ranked, judged, k);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("gives 1 for the perfect order, looked at as deep as there are relevant documents", () => {
    fc.assert(
      fc.property(judgements, (judged) => {
        fc.pre(relevant(judged) > 0);
        expect(metric(bestFirst(judged), judged, relevant(judged))).toBeCloseTo(1, 12);
      }),
    );
  });

  test("gives 0 when nothing is relevant, or nothing was found", () => {
    fc.assert(
      fc.property(answer, judgements, depth, (ranked, judged, k) => {
        expect(metric([], judged, k)).toBe(0);
        expect(metric(ranked, new Map(ranked.map((name) => [name, 0])), k)).toBe(0);
        expect(metric(ranked, new Map(), k)).toBe(0);
      }),
    );
  });

  test("treats an unjudged document as one judged with 0", () => {
    fc.assert(
      fc.property(answer, judgements, depth, (ranked, judged, k) => {
        const full = new Map([...ranked.map((name): [string, number] => [name, 0]), ...judged]);
        expect(metric(ranked, full, k)).toBe(metric(ranked, judged, k));
      }),
    );
  });

  test("does not look below its depth", () => {
    fc.assert(
      fc.property(answer, judgements, fc.integer({ min: 1, max: 12 }), (ranked, judged, k) => {
        expect(metric(ranked.slice(0, k), judged, k)).toBe(metric(ranked, judged, k));
      }),
    );
  });
});

// Graded on purpose: with grades of 0 and 1 alone, linear gain and 2^grade cannot be told apart.
const judged = new Map([
  ["d1", 3],
  ["d2", 2],
  ["d3", 0],
  ["d4", 1],
  ["d5", 2],
]);
const ranked = ["d3", "d2", "d1", "d9", "d4"];

test.each([
  // gains 0, 2, 3 at discounts 1, log2 3, 2; ideal 3, 2, 2
  ["ndcg@3", (2 / Math.log2(3) + 3 / 2) / (3 + 2 / Math.log2(3) + 2 / 2)],
  ["ndcg@3", 0.5248827916050821],
  ["ndcg@5", 0.5531299720027],
  // relevant: d1, d2, d4, d5; found at ranks 2, 3 and 5
  ["recall@3", 2 / 4],
  ["recall", 3 / 4],
  ["precision@3", 2 / 3],
  ["precision@10", 3 / 10],
  ["precision", 3 / 5],
  ["mrr", 1 / 2],
  ["mrr@1", 0],
  ["map", (1 / 2 + 2 / 3 + 3 / 5) / 4],
  ["map@3", (1 / 2 + 2 / 3) / 4],
  ["success@1", 0],
  ["success@2", 1],
  ["all", 0],
])("%s of a small answer is what it is by hand", (name, value) => {
  expect(measure(name).of(ranked, judged)).toBeCloseTo(value, 12);
});

test("all@k is 1 as soon as the last relevant document is in", () => {
  const two = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  expect(measure("all@2").of(["a", "x", "b"], two)).toBe(0);
  expect(measure("all@3").of(["a", "x", "b"], two)).toBe(1);
});

test("a measure that does not exist is refused with the names of those that do", () => {
  for (const name of ["ndcg@0", "ndcg@", "ndcg@1.5", "ndcg@-1", "NDCG@10", "bleu", "", "toString", "ndcg@10x"])
    expect(() => measure(name)).toThrow(`unknown measure "${name}"`);
});

test("the default measures exist", () => {
  expect(defaultMeasures.map((name) => measure(name).name)).toEqual(defaultMeasures);
});
