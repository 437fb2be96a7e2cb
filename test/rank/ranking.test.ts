import { expect, test } from "bun:test";
import fc from "fast-check";
import { bestFirst, byScore, distinct, lowest, settled } from "../../src/rank/ranking.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

test("equal scores stand by id, so that the order of insertion does not show", () => {
  const scores: [number, number][] = [
    [9, 1],
    [2, 1],
    [5, 3],
  ];
  expect(bestFirst(new Map(scores))).toEqual(of([5, 3], [2, 1], [9, 1]));
  expect(bestFirst(new Map(scores.toReversed()))).toEqual(of([5, 3], [2, 1], [9, 1]));
});

test("any scores, in any order of insertion, give one order", () => {
  fc.assert(
    fc.property(wild, (rows) => {
      const once = bestFirst(new Map(rows.map(({ id, score }) => [id, score])));
      const again = bestFirst(new Map(rows.toReversed().map(({ id, score }) => [id, score])));
      expect(idsOf(once)).toEqual(idsOf(again));
    }),
  );
});

test("NaN goes last and leaves the others in order", () => {
  const mixed = of(
    [1, 2],
    [2, Number.NaN],
    [3, 5],
    [4, Number.NEGATIVE_INFINITY],
    [5, Number.POSITIVE_INFINITY],
    [6, 3],
  );
  expect(idsOf(byScore(mixed))).toEqual([5, 3, 6, 1, 2, 4]);
});

test("two infinities are equals", () => {
  const infinity = Number.POSITIVE_INFINITY;
  expect(idsOf(byScore(of([4, infinity], [2, 1], [3, infinity])))).toEqual([4, 3, 2]);
});

test("a repeated id keeps its first place and score", () => {
  expect(distinct(of([1, 9], [2, 8], [1, 7]))).toEqual(of([1, 9], [2, 8]));
});

test("a score that is not finite becomes that of the row above, and the first finite one at the top", () => {
  const { NaN: nan, POSITIVE_INFINITY: up, NEGATIVE_INFINITY: down } = Number;
  expect(settled(of([1, up], [2, 5], [3, nan], [4, 1], [5, down]))).toEqual(of([1, 5], [2, 5], [3, 5], [4, 1], [5, 1]));
  expect(settled(of([1, nan], [2, nan]))).toEqual(of([1, 0], [2, 0]));
  expect(settled([])).toEqual([]);
});

test("settling changes nothing where all is finite", () => {
  fc.assert(fc.property(ranking, (rows) => expect(settled(rows)).toEqual(rows)));
});

test("the lowest of none is 0", () => {
  expect(lowest([])).toBe(0);
  expect(lowest([3, -2, 5])).toBe(-2);
});
