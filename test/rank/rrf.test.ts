import { expect, test } from "bun:test";
import { fusionDefaults, fusions } from "../../src/rank/fusions.ts";
import { rrf } from "../../src/rank/rrf.ts";
import { idsOf, legsOf, of } from "./arbitrary.ts";

test("the paper's sum, by hand", () => {
  const words = of([7, 9.1], [3, 4]);
  const meaning = of([3, 0.8]);
  expect(rrf([words, meaning])).toEqual(of([3, 1 / 62 + 1 / 61], [7, 1 / 61]));
});

test("three rankings and another damping", () => {
  const [a, b, c] = [of([1, 3], [2, 2]), of([2, 1]), of([3, 9], [1, 8])];
  // 1: 1/2 + 1/3; 2: 1/3 + 1/2; 3: 1/2. The tie goes to 1, which appears first.
  expect(rrf([a, b, c], 1)).toEqual(of([1, 1 / 2 + 1 / 3], [2, 1 / 3 + 1 / 2], [3, 1 / 2]));
});

test("an exact tie goes to the first leg's order, not to the smaller id", () => {
  expect(idsOf(rrf([of([7, 2], [3, 1]), of([3, 2], [7, 1])]))).toEqual([7, 3]);
  expect(idsOf(rrf([of([9, 1]), of([4, 1])]))).toEqual([9, 4]);
});

test("no ranking, and none with rows, gives none", () => {
  expect(rrf([])).toEqual([]);
  expect(rrf([[], []])).toEqual([]);
});

test("weighted: 2w for words and 2(1 − w) for meaning", () => {
  const legs = legsOf(of([1, 5], [2, 4]), of([2, 0.9], [3, 0.8]));
  // w 0.75: words 1.5, meaning 0.5.
  expect(fusions.wrrf.fuse(legs, { ...fusionDefaults, wBm25: 0.75 })).toEqual(
    of([2, 1.5 / 62 + 0.5 / 61], [1, 1.5 / 61], [3, 0.5 / 62]),
  );
});

test("weighted: with all the weight on words, what only meaning found goes last with 0", () => {
  const legs = legsOf(of([1, 5], [2, 4]), of([3, 0.9], [2, 0.8]));
  expect(fusions.wrrf.fuse(legs, { ...fusionDefaults, wBm25: 1 })).toEqual(of([1, 2 / 61], [2, 2 / 62], [3, 0]));
});
