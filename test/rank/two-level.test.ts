import { expect, test } from "bun:test";
import fc from "fast-check";
import { twoLevel } from "../../src/rank/two-level.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

const note = (id: number): number => Math.floor(id / 10);

test("half and half, by hand: the section of the better note passes a better section", () => {
  const sections = of([10, 0.75], [20, 0.5], [21, 0.25]);
  const notes = of([2, 1], [1, 0.25]);
  expect(twoLevel(sections, notes, note)).toEqual(of([20, 0.75], [21, 0.625], [10, 0.5]));
});

test("a quarter for the note", () => {
  expect(twoLevel(of([10, 1], [20, 0.5]), of([2, 0.5], [1, 0]), note, 0.25)).toEqual(of([10, 0.75], [20, 0.5]));
});

test("a note that was not found counts as the lowest that was", () => {
  expect(twoLevel(of([30, 1], [10, 0.5]), of([2, 1], [1, 0.5]), note)).toEqual(of([30, 0.75], [10, 0.5]));
});

test("with no note found, sections keep their order", () => {
  fc.assert(fc.property(ranking, (rows) => expect(idsOf(twoLevel(rows, [], note))).toEqual(idsOf(rows))));
});

test("at 0 it is the sections alone; at 1 a note's sections keep their order among themselves", () => {
  fc.assert(fc.property(ranking, ranking, (rows, notes) => expect(twoLevel(rows, notes, note, 0)).toEqual(rows)));
  expect(idsOf(twoLevel(of([11, 3], [20, 2], [10, 1]), of([1, 1], [2, 2]), note, 1))).toEqual([20, 11, 10]);
});

test("loses no section, takes in none, and lets no NaN out", () => {
  fc.assert(
    fc.property(wild, wild, (rows, notes) => {
      const out = twoLevel(rows, notes, note);
      expect(idsOf(out).sort((a, b) => a - b)).toEqual(idsOf(rows).sort((a, b) => a - b));
      expect(out.every(({ score }) => Number.isFinite(score))).toBe(true);
    }),
  );
});
