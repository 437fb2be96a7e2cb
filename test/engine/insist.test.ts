import { expect, test } from "bun:test";
import fc from "fast-check";
import { insist } from "../../src/engine/insist.ts";

const ranked = (...ids: number[]) => ids.map((id, i) => ({ id, score: -i }));
const idsOf = (ranking: readonly { id: number }[]) => ranking.map(({ id }) => id);

test("the best passage with the exact thing is among the first three", () => {
  expect(idsOf(insist(ranked(1, 2, 3, 4, 5), ranked(5, 4)))).toEqual([1, 2, 5, 3, 4]);
});

test("nothing moves when one is there already, or nothing exact was asked for", () => {
  expect(idsOf(insist(ranked(1, 2, 3, 4), ranked(3, 4)))).toEqual([1, 2, 3, 4]);
  expect(idsOf(insist(ranked(1, 2, 3, 4), []))).toEqual([1, 2, 3, 4]);
});

test("a passage that meaning did not see at all is put in", () => {
  expect(idsOf(insist(ranked(1, 2, 3), ranked(9)))).toEqual([1, 2, 9, 3]);
});

test("no passage is lost, none comes twice, and scores still fall", () => {
  const ids = fc.uniqueArray(fc.nat(30), { maxLength: 12 });
  fc.assert(
    fc.property(ids, ids, (all, exact) => {
      const found = insist(ranked(...all), ranked(...exact));
      expect(new Set(idsOf(found)).size).toBe(found.length);
      for (const id of all) expect(idsOf(found)).toContain(id);
      for (const [i, { score }] of found.slice(1).entries()) expect(score).toBeLessThanOrEqual(found[i]?.score ?? 0);
    }),
  );
});
