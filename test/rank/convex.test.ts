import { expect, test } from "bun:test";
import { convex } from "../../src/rank/convex.ts";
import { fusions } from "../../src/rank/fusions.ts";
import { idsOf, legsOf, of } from "./arbitrary.ts";

const z = Math.sqrt(1.5); // of 6 among 6, 4, 2: (6 − 4) / √(8/3)
const legs = legsOf(of([1, 6], [2, 4], [3, 2]), of([2, 9], [4, 1]));

test("minmax, half each, by hand", () => {
  const two = legsOf(of([1, 4], [2, 2], [3, 0]), of([2, 0.75], [4, 0.5], [1, 0.25]));
  expect(convex(two, { alpha: 0.5, norm: "minmax", missing: "zero" })).toEqual(
    of([2, 0.75], [1, 0.5], [4, 0.25], [3, 0]),
  );
});

test("minmax, three quarters words", () => {
  // Words 1, 0.5, 0; meaning 1, 0.
  expect(convex(legs, { alpha: 0.75, norm: "minmax", missing: "zero" })).toEqual(
    of([1, 0.75], [2, 0.625], [4, 0], [3, 0]),
  );
});

test("zscore with zero: a missing document stands at the leg's mean", () => {
  const fused = convex(legs, { alpha: 0.5, norm: "zscore", missing: "zero" });
  expect(idsOf(fused)).toEqual([1, 2, 4, 3]);
  for (const [i, score] of [z / 2, 0.5, -0.5, -z / 2].entries()) expect(fused[i]!.score).toBeCloseTo(score, 12);
});

test("zscore with leg_min: a missing document gets the leg's lowest, and agreement wins", () => {
  const fused = convex(legs, { alpha: 0.5, norm: "zscore", missing: "leg_min" });
  // 3 and 4 tie at −z/2 − 1/2; 4 is second in its leg, 3 only third.
  expect(idsOf(fused)).toEqual([2, 1, 4, 3]);
  for (const [i, score] of [0.5, z / 2 - 0.5, -z / 2 - 0.5, -z / 2 - 0.5].entries())
    expect(fused[i]!.score).toBeCloseTo(score, 12);
});

test("the row `half` is that one", () => {
  expect(fusions.half.fuse(legs)).toEqual(convex(legs, { alpha: 0.5, norm: "zscore", missing: "leg_min" }));
});

test("tmin without a say for words: dense order, then words' own by their rank", () => {
  const two = legsOf(of([9, 3], [8, 2], [5, 1]), of([5, -0.5], [6, -1]));
  expect(convex(two, { alpha: 0, norm: "tmin", missing: "zero" })).toEqual(of([5, 1], [6, 1 / 1.5], [9, 0], [8, 0]));
});

test("a tie goes to the better rank in either leg, then to the smaller id", () => {
  // All dense scores at the floor: everything ties at 0.
  const two = legsOf(of([9, 2], [4, 1]), of([7, -2], [3, -2.5]));
  expect(idsOf(convex(two, { alpha: 0, norm: "tmin", missing: "zero" }))).toEqual([7, 9, 3, 4]);
});

test("one row in each leg: 0.5 each, and the smaller id first", () => {
  expect(convex(legsOf(of([7, 1]), of([3, 1])), { alpha: 0.5, norm: "minmax", missing: "zero" })).toEqual(
    of([3, 0.25], [7, 0.25]),
  );
});

test("an empty leg adds nothing, with leg_min too", () => {
  expect(convex(legsOf(of([1, 4], [2, 3]), []), { alpha: 0.5, norm: "minmax", missing: "leg_min" })).toEqual(
    of([1, 0.5], [2, 0]),
  );
});

test("a NaN among the scores costs its own row its score and no other", () => {
  const two = legsOf(of([1, 4], [2, Number.NaN], [3, 2]), of([3, 2], [2, 1]));
  // Words 1, 0, 0; meaning 1, 0.
  expect(convex(two, { alpha: 0.5, norm: "minmax", missing: "zero" })).toEqual(of([1, 0.5], [3, 0.5], [2, 0]));
});
