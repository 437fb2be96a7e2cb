import { expect, test } from "bun:test";
import fc from "fast-check";
import { blend } from "../../src/rank/blend.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

const fused = of([1, 3], [2, 2], [3, 1], [8, 0.5], [9, 0.25]);
const z = Math.sqrt(1.5); // of 3 among 3, 2, 1

test("a quarter for the fused score, by hand", () => {
  const out = blend(fused, [0, 10, 20], 0.25);
  expect(idsOf(out)).toEqual([3, 2, 1, 8, 9]);
  // −z·0.75 + z·0.25 for the first of before, the reverse for the third.
  for (const [i, score] of [z / 2, 0, -z / 2, -z / 2, -z / 2].entries()) expect(out[i]!.score).toBeCloseTo(score, 12);
});

test("at a half, two opposite orders cancel out and the fused one stands", () => {
  expect(blend(fused, [0, 10, 20], 0.5)).toEqual(of([1, 0], [2, 0], [3, 0], [8, 0], [9, 0]));
});

test("at 0 the reranker alone orders the head, and equal scores keep their order", () => {
  expect(idsOf(blend(fused, [1, 5, 5, 7], 0))).toEqual([8, 2, 3, 1, 9]);
});

test("at 0 the head is sorted by the reranker's scores, for any whole scores", () => {
  fc.assert(
    fc.property(ranking, fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 40 }), (rows, given) => {
      const scores = given.slice(0, rows.length);
      const expected = rows
        .slice(0, scores.length)
        .map(({ id }, i) => ({ id, score: scores[i]! }))
        .sort((a, b) => b.score - a.score);
      expect(idsOf(blend(rows, scores, 0))).toEqual([...idsOf(expected), ...idsOf(rows.slice(scores.length))]);
    }),
  );
});

test("at 1 the order is the fused one", () => {
  fc.assert(
    fc.property(ranking, (rows) => {
      const scores = rows.map(({ id }) => (id * 7) % 11);
      expect(idsOf(blend(rows, scores, 1))).toEqual(idsOf(rows));
    }),
  );
});

test("with nothing reranked, or all alike, the order stands", () => {
  expect(idsOf(blend(fused, [], 0.5))).toEqual([1, 2, 3, 8, 9]);
  expect(idsOf(blend(fused, [4, 4, 4, 4, 4], 0))).toEqual([1, 2, 3, 8, 9]);
  expect(blend([], [], 0.5)).toEqual([]);
});

test("a reranker's score that is not finite counts as its mean", () => {
  // 1 and 3 are at z 1 and −1; 2 is between them.
  expect(idsOf(blend(of([1, 3], [2, 2], [3, 1]), [0, Number.NaN, 10], 0))).toEqual([3, 2, 1]);
});

test("loses nothing, invents nothing, stays finite, and leaves the tail in its order below the head", () => {
  fc.assert(
    fc.property(
      wild,
      fc.array(fc.double(), { maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rows, given, b) => {
        const scores = given.slice(0, rows.length);
        const out = blend(rows, scores, b);
        expect(new Set(idsOf(out.slice(0, scores.length)))).toEqual(new Set(idsOf(rows.slice(0, scores.length))));
        expect(idsOf(out.slice(scores.length))).toEqual(idsOf(rows.slice(scores.length)));
        expect(out.every(({ score }) => Number.isFinite(score))).toBe(true);
        expect(out.every(({ score }, i) => i === 0 || score <= out[i - 1]!.score)).toBe(true);
      },
    ),
  );
});
