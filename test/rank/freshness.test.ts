import { expect, test } from "bun:test";
import fc from "fast-check";
import { freshness, type Standing } from "../../src/rank/freshness.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

const today = "2026-07-31";
const standing: ReadonlyMap<number, Standing> = new Map([
  [1, { superseded: true, validUntil: undefined }],
  [2, { superseded: false, validUntil: "2026-07-30" }],
  [3, { superseded: true, validUntil: "2025-01-01" }],
  [4, { superseded: false, validUntil: today }],
  [5, { superseded: false, validUntil: "2026-08-01" }],
]);
const standingOf = (id: number) => standing.get(id);

test("superseded halves, run out quarters, and both together quarter", () => {
  expect(freshness(of([1, 8], [2, 8], [3, 8], [9, 3]), standingOf, today)).toEqual(of([1, 4], [9, 3], [2, 2], [3, 2]));
});

test("a note is good on its last day", () => {
  expect(freshness(of([4, 8], [5, 7]), standingOf, today)).toEqual(of([4, 8], [5, 7]));
});

test("a negative score is divided, so that it sinks too", () => {
  expect(freshness(of([1, -1], [2, -1], [9, -3]), standingOf, today)).toEqual(of([1, -2], [9, -3], [2, -4]));
});

test("a factor of 0 leaves nothing of a positive score, and makes a negative one the lowest there is", () => {
  const none = { superseded: 0, expired: 0 };
  expect(freshness(of([1, 8], [2, 0], [9, -1], [3, -2]), standingOf, today, none)).toEqual(
    of([1, 0], [2, 0], [9, -1], [3, Number.NEGATIVE_INFINITY]),
  );
});

test("equal scores keep their order", () => {
  expect(idsOf(freshness(of([1, 8], [9, 4], [8, 4]), standingOf, today))).toEqual([1, 9, 8]);
});

test("where nothing is known of the notes, nothing changes", () => {
  fc.assert(fc.property(ranking, (rows) => expect(freshness(rows, () => undefined, today)).toEqual(rows)));
});

test("loses nothing, invents nothing, lifts nothing, and lets no NaN out", () => {
  const factor = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(wild, factor, factor, (rows, superseded, expired) => {
      const out = freshness(rows, standingOf, today, { superseded, expired });
      expect(idsOf(out).sort((a, b) => a - b)).toEqual(idsOf(rows).sort((a, b) => a - b));
      for (const { id, score } of out) {
        const before = rows.find((row) => row.id === id)!.score;
        expect(score).not.toBeNaN();
        if (Number.isFinite(before)) expect(score).toBeLessThanOrEqual(before);
      }
    }),
  );
});
