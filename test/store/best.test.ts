import { expect, test } from "bun:test";
import fc from "fast-check";
import { openBest } from "../../src/store/best.ts";

test("the best are those that sorting all of them would give, equal ones by id", () => {
  const scores = fc.array(fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true })), { maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 20 }), (given, limit) => {
      const best = openBest(limit);
      // From the last id to the first, so that order of arrival is not the order of ids.
      for (const [i, score] of [...given.entries()].reverse()) best.add(i, score);
      const all = given.map((score, id) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
      expect(best.ranking()).toEqual(all.slice(0, limit));
    }),
  );
});

test("a score that is no number is left out", () => {
  const best = openBest(1);
  for (const [id, score] of [Number.NaN, 1, Number.NaN, 2, Number.NaN].entries()) best.add(id, score);
  expect(best.ranking()).toEqual([{ id: 3, score: 2 }]);
});
