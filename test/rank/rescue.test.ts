import { expect, test } from "bun:test";
import { type RescueKnobs, rescue } from "../../src/rank/rescue.ts";
import { rrf } from "../../src/rank/rrf.ts";
import type { Ranking } from "../../src/types.ts";
import { idsOf, legsOf, of } from "./arbitrary.ts";

const knobs: RescueKnobs = { norm: "minmax", rank: 3, min: 0.5, window: 20, at: 5, max: 2 };

/** Ids 1, 2, …, n with scores −1, −2, …, −n. */
const dense = (n: number): Ranking => Array.from({ length: n }, (_, i) => ({ id: i + 1, score: -(i + 1) }));
const to = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test("the first lexical hits that meaning lacks come sixth and seventh, with the score of the fifth", () => {
  const words = of([101, 10], [2, 9], [102, 8], [103, 7], [104, 0]);
  const fused = rescue(legsOf(words, dense(30)), knobs);
  expect(idsOf(fused)).toEqual([...to(1, 5), 101, 102, ...to(6, 30), 103, 104]);
  expect(fused[5]).toEqual({ id: 101, score: -5 });
  expect(fused[6]).toEqual({ id: 102, score: -5 });
  expect(fused.at(-1)).toEqual({ id: 104, score: -30 });
});

test("a hit that meaning has below the window is lifted, one inside it stays", () => {
  const words = of([20, 10], [21, 9], [50, 0]);
  expect(idsOf(rescue(legsOf(words, dense(30)), knobs))).toEqual([...to(1, 5), 21, ...to(6, 20), ...to(22, 30), 50]);
});

test("a weak hit is not rescued; a score of just the minimum is enough", () => {
  const words = of([101, 10], [102, 5], [103, 4.9], [104, 0]);
  expect(idsOf(rescue(legsOf(words, dense(6)), knobs))).toEqual([...to(1, 5), 101, 102, 6, 103, 104]);
});

test("at most so many are rescued", () => {
  const words = of([101, 10], [102, 9], [103, 8], [104, 0]);
  expect(idsOf(rescue(legsOf(words, dense(6)), { ...knobs, max: 1 }))).toEqual([...to(1, 5), 101, 6, 102, 103, 104]);
  expect(idsOf(rescue(legsOf(words, dense(6)), { ...knobs, max: 0 }))).toEqual([...to(1, 6), 101, 102, 103, 104]);
});

test("put at the top, they take the first dense score", () => {
  const words = of([101, 10], [102, 0]);
  expect(rescue(legsOf(words, dense(2)), { ...knobs, at: 0 })).toEqual(of([101, -1], [1, -1], [2, -2], [102, -2]));
});

test("a window shorter than the place counts as long as it", () => {
  const words = of([5, 10], [101, 0]);
  expect(idsOf(rescue(legsOf(words, dense(8)), { ...knobs, window: 2 }))).toEqual([...to(1, 8), 101]);
});

test("with fewer dense rows than the place they come at the end", () => {
  expect(idsOf(rescue(legsOf(of([101, 10], [102, 0]), dense(3)), knobs))).toEqual([1, 2, 3, 101, 102]);
});

test("one lexical hit alone has 0.5 and is rescued", () => {
  expect(idsOf(rescue(legsOf(of([101, 3]), dense(6)), knobs))).toEqual([...to(1, 5), 101, 6]);
});

test("without a dense leg it is RRF over words", () => {
  const words = of([9, 3], [4, 2]);
  expect(rescue(legsOf(words, []), knobs)).toEqual(rrf([words]));
});
