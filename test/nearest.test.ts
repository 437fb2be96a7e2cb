import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearest } from "../src/nearest.ts";

const names = ["index", "search", "read", "status", "doctor", "settings"];

test.each([
  ["serach", "search"],
  ["sea", "search"],
  ["Status", "status"],
  ["docter", "doctor"],
  ["raed", "read"],
])("%s is taken for %s", (typed, meant) => expect(nearest(typed, names)).toEqual([meant]));

test("nothing is guessed from nothing, nor from what has nothing in common", () => {
  expect(nearest("", names)).toEqual([]);
  expect(nearest("xylophone", names)).toEqual([]);
  expect(nearest("qq", ["ab"])).toEqual([]);
});

test("more than one can be asked for, the nearest first", () => {
  expect(nearest("reed", ["reads", "read", "reed"], 2)).toEqual(["reed", "read"]);
});

test("the name itself is always nearest to itself", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), {
        minLength: 1,
        selector: (name) => name.toLowerCase(),
      }),
      (all) => {
        expect(nearest(all[0]!, all)).toEqual([all[0]!]);
      },
    ),
  );
});
