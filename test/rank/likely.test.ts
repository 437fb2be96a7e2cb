import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { completed, likely } from "../../src/rank/likely.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

describe("what is likely, by hand", () => {
  test("on the line of least squares", () => {
    // Means 2 and 3; slope (−1·−2 + 0·1 + 1·1) / 2 = 1.5.
    const y = likely([
      [1, 1],
      [2, 4],
      [3, 4],
    ])!;
    expect([y(1), y(2), y(1.5)]).toEqual([1.5, 3, 2.25]);
  });

  test("never outside what was seen, however far the row stands out", () => {
    const y = likely([
      [1, 1],
      [2, 2],
    ])!;
    expect([y(-5), y(1.5), y(80)]).toEqual([1, 1.5, 2]);
  });

  test("a line that would fall is level: a better row is never likely to be worse for it", () => {
    const y = likely([
      [1, 4],
      [2, 2],
    ])!;
    expect([y(1), y(9)]).toEqual([3, 3]);
  });

  test("the mean where all stand at one place, and exactly the number where all are equal", () => {
    const y = likely([
      [1, 0.1],
      [1, 0.3],
    ])!;
    expect(y(7)).toBeCloseTo(0.2, 12);
    const level = likely([0.1, 0.1, 0.1].map((score) => [score, score] as const))!;
    expect(level(0.1)).toBe(0.1);
  });

  test("the mean where the places are too far apart to be squared", () => {
    const y = likely([
      [-1.7e308, 1],
      [1.7e308, 2],
    ])!;
    expect([y(0), y(1.7e308)]).toEqual([1.5, 1.5]);
  });

  test("nothing known, nothing likely", () => expect(likely([])).toBeUndefined());
});

describe("a leg that is completed", () => {
  const meaning = of([1, 0.9], [2, 0.7], [8, 0.5]);
  // 3 was seen and not found: it counts as 0.5.
  const words = of([9, 12], [1, 6], [2, 4], [3, 2], [7, 2]);

  test("takes unseen rows in at what is likely for their place in the other leg", () => {
    // The line through (6, 0.9), (4, 0.7), (2, 0.5): 0.3 + 0.1·score, at most 0.9.
    const out = completed(meaning, words, new Set([9, 7]));
    expect(idsOf(out)).toEqual([1, 9, 2, 8, 7]);
    expect(out.map(({ score }) => Number(score.toFixed(9)))).toEqual([0.9, 0.9, 0.7, 0.5, 0.5]);
  });

  test("holds nothing against unseen rows when there is no other to compare them with", () => {
    expect(completed(meaning, of([9, 12], [7, 2]), new Set([9, 7]))).toEqual(
      of([1, 0.9], [9, 0.9], [7, 0.9], [2, 0.7], [8, 0.5]),
    );
  });

  test("is the very same leg when it could see all, or has nothing at all", () => {
    expect(completed(meaning, words, new Set())).toBe(meaning);
    expect(completed(meaning, words, new Set([77]))).toBe(meaning);
    const none = of();
    expect(completed(none, words, new Set([9]))).toBe(none);
  });

  test("keeps its own rows and their scores, takes in the unseen ones of the other leg alone, and lets no new NaN in", () => {
    fc.assert(
      fc.property(ranking, wild, fc.array(fc.nat(60)), (leg, other, ids) => {
        const unseen = new Set(ids.filter((id) => !idsOf(leg).includes(id)));
        const out = completed(leg, other, unseen);
        const own = new Set(idsOf(leg));
        expect(out.filter(({ id }) => own.has(id))).toEqual([...leg]);
        const added = out.filter(({ id }) => !own.has(id));
        const wanted = leg.length === 0 ? [] : idsOf(other).filter((id) => unseen.has(id));
        expect(idsOf(added).sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b));
        const [best, worst] = [leg[0]?.score ?? 0, leg.at(-1)?.score ?? 0];
        for (const { score } of added) {
          expect(score).toBeLessThanOrEqual(best);
          expect(score).toBeGreaterThanOrEqual(worst);
        }
      }),
    );
  });
});
