import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Scores, scoreOf, sumOf } from "../../src/store/scores.ts";

const scores = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -9, max: 9 })), { selector: ([id]) => id })
  .map((rows): Scores => {
    const sorted = rows.toSorted(([a], [b]) => a - b);
    return {
      ids: Float64Array.from(sorted, ([id]) => id),
      values: Float64Array.from(sorted, ([, value]) => value),
    };
  });
const lists = fc.array(fc.record({ of: scores, scale: fc.integer({ min: -3, max: 3 }) }), { maxLength: 6 });

test("an id's sum is that of its scores in all lists, and ids come sorted, each once", () => {
  fc.assert(
    fc.property(lists, (given) => {
      const sums = new Map<number, number>();
      for (const { of, scale } of given)
        for (const [i, id] of of.ids.entries()) sums.set(id, (sums.get(id) ?? 0) + scale * (of.values[i] ?? 0));
      const sum = sumOf(given);
      expect([...sum.ids]).toEqual([...sums.keys()].sort((a, b) => a - b));
      // A sum of -0 is one of 0.
      for (const [id, value] of sums) expect((scoreOf(sum, id) ?? Number.NaN) + 0).toBe(value + 0);
    }),
  );
});

test("an id that no list has has no score", () => {
  const sum = sumOf([{ of: { ids: Float64Array.of(2, 5), values: Float64Array.of(1, 1) }, scale: 2 }]);
  expect([1, 2, 3, 5, 6].map((id) => scoreOf(sum, id))).toEqual([undefined, 2, undefined, 2, undefined]);
});
