import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { normalisers } from "../../src/rank/normalisers.ts";

const { minmax, zscore, tmin } = normalisers;
const { NaN: nan, POSITIVE_INFINITY: up, NEGATIVE_INFINITY: down } = Number;

describe.each(Object.entries(normalisers))("%s", (_, normalise) => {
  test("gives one finite number for each score, whatever the scores", () => {
    fc.assert(
      fc.property(fc.array(fc.double()), fc.constantFrom(0, -1, -2), (scores, floor) => {
        const out = normalise(scores, floor);
        expect(out).toHaveLength(scores.length);
        expect(out.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  test("never turns two scores round", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (scores) => {
        const out = normalise(
          scores.toSorted((a, b) => a - b),
          0,
        );
        expect(out).toEqual(out.toSorted((a, b) => a - b));
      }),
    );
  });

  test("gives nothing for no scores", () => expect(normalise([], 0)).toEqual([]));

  test.each([[[7]], [[7, 7, 7]], [[0, -0]], [[-5]]])("gives 0.5 each where all scores are one: %j", (scores) => {
    expect(normalise(scores, 0)).toEqual(scores.map(() => 0.5));
  });

  test("gives 0 for what is not finite, and leaves it out of the sums", () => {
    const out = normalise([3, nan, 1, up, down], 0);
    const [high, low] = normalise([3, 1], 0);
    expect(out).toEqual([high!, 0, low!, 0, 0]);
    expect(normalise([nan, 4, up], 0)).toEqual([0, 0.5, 0]);
    expect(normalise([nan, down], 0)).toEqual([0, 0]);
  });
});

test("minmax: the lowest is 0, the highest 1, the rest in proportion", () => {
  expect(minmax([5, 2, 1], 0)).toEqual([1, 0.25, 0]);
  expect(minmax([-1, -3], 0)).toEqual([1, 0]);
});

test("zscore: mean 5 and population deviation 2, by hand; a sample's deviation would be 2.14", () => {
  expect(zscore([2, 4, 4, 4, 5, 5, 7, 9], 0)).toEqual([-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2]);
});

test("zscore: a deviation too small to be squared gives 0.5 each", () => {
  expect(zscore([0, 1e-170], 0)).toEqual([0.5, 0.5]);
});

test("tmin: counts from the floor, not from the lowest score found", () => {
  expect(tmin([4, 2, 1], 0)).toEqual([1, 0.5, 0.25]);
  expect(tmin([-0.5, -1, -1.25], -2)).toEqual([1, 1 / 1.5, 0.5]);
});

test("tmin: below the floor counts as the floor, and nothing above it gives 0 for all", () => {
  expect(tmin([-1, -3], -2)).toEqual([1, 0]);
  expect(tmin([-4, -3], -2)).toEqual([0, 0]);
  expect(tmin([-2, -3], -2)).toEqual([0, 0]);
});
