import { expect, test } from "bun:test";
import fc from "fast-check";
import { slugDecay } from "../../src/rank/slug-decay.ts";
import type { Ranking } from "../../src/types.ts";
import { idsOf, of, ranking } from "./arbitrary.ts";

/** The rule as it is written: look at all rows left, take the most valuable, and again. */
function greedy(rows: Ranking, noteOf: (id: number) => number, decay: number): number[] {
  const left = rows.map(({ id }, i) => ({ id, base: 1 / (60 + i + 1) }));
  const taken = new Map<number, number>();
  const order: number[] = [];
  while (left.length > 0) {
    const worth = left.map(({ id, base }) => base * decay ** (taken.get(noteOf(id)) ?? 0));
    const [row] = left.splice(worth.indexOf(Math.max(...worth)), 1);
    taken.set(noteOf(row!.id), (taken.get(noteOf(row!.id)) ?? 0) + 1);
    order.push(row!.id);
  }
  return order;
}

const note = (id: number): number => Math.floor(id / 10);

test("is the greedy rule, for every decay", () => {
  const decay = fc.oneof(fc.constantFrom(0, 1e-200, 0.5, 0.98, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(ranking, decay, (rows, factor) => {
      expect(idsOf(slugDecay(rows, note, factor))).toEqual(greedy(rows, note, factor));
    }),
  );
});

test("by hand: the second row of a note falls behind the next note", () => {
  expect(slugDecay(of([10, 9], [11, 8], [20, 7]), note, 0.5)).toEqual(of([10, 1 / 61], [20, 1 / 63], [11, 0.5 / 62]));
});

test("by hand: a gentle decay lets it stand", () => {
  // 0.99/62 = 0.01597 is above 1/63 = 0.01587; 0.98/62 = 0.01581 is below.
  expect(idsOf(slugDecay(of([10, 9], [11, 8], [20, 7]), note, 0.99))).toEqual([10, 11, 20]);
  expect(idsOf(slugDecay(of([10, 9], [11, 8], [20, 7]), note, 0.98))).toEqual([10, 20, 11]);
});

test("at 0: one row of each note, then the others in their order", () => {
  const rows = of([10, 9], [11, 8], [12, 7], [20, 6], [21, 5], [30, 4]);
  expect(idsOf(slugDecay(rows, note, 0))).toEqual([10, 20, 30, 11, 12, 21]);
});

test("at 1 the ranking comes back as it is", () => {
  fc.assert(fc.property(ranking, (rows) => expect(slugDecay(rows, note, 1)).toEqual(rows)));
});

test("where every row is a note of its own, no decay shows", () => {
  fc.assert(
    fc.property(ranking, (rows) => expect(idsOf(slugDecay(rows, (id) => `note ${id}`, 0))).toEqual(idsOf(rows))),
  );
});
