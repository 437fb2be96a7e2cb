import { expect, test } from "bun:test";
import fc from "fast-check";
import { abstains, confidence } from "../../src/rank/calibrate.ts";

test.each([
  [0.5, 2, -1, 0.5],
  [1, Math.log(3), 0, 0.75],
  [2, -Math.log(3), Math.log(3), 0.25],
  [1e6, 1, 0, 1],
  [-1e6, 1, 0, 0],
])("a top score of %d at scale %d and offset %d is %d", (top, scale, offset, sure) => {
  expect(confidence(top, { scale, offset })).toBeCloseTo(sure, 12);
});

test("without a calibration the score speaks for itself", () => {
  expect(confidence(-3.5, undefined)).toBe(-3.5);
});

test("any finite score is between 0 and 1, and a higher one is never less sure", () => {
  const score = fc.double({ min: -1e9, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(score, score, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map((top) => confidence(top, { scale: 0.7, offset: -2 }));
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low!).toBeLessThanOrEqual(high!);
    }),
  );
});

test("the minimum itself is enough to answer, and NaN is not", () => {
  expect([0.49, 0.5, 0.51, Number.NaN].map((sure) => abstains(sure, 0.5))).toEqual([true, false, false, true]);
});
