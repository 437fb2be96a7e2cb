import { expect, test } from "bun:test";
import fc from "fast-check";
import { slugOf, stem } from "../../src/notes/slug.ts";

test("the stem is the file's name without folders and extension", () => {
  expect(["a/My note.md", "x.MARKDOWN", "v1.2.md", "100%.md", "a.b/c"].map(stem)).toEqual([
    "My note",
    "x",
    "v1.2",
    "100%",
    "c",
  ]);
});

test("a name of its own is the slug; a shared one takes as many folders as tell it apart", () => {
  const all = ["one.md", "a/note.md", "b/note.md", "c/b/note.md", "note.md"];
  expect(all.map((path) => slugOf(path, all))).toEqual(["one", "a/note", "b/note", "c/b/note", "note"]);
});

test("two files that differ in their extension alone keep it", () => {
  expect(slugOf("x/a.md", ["x/a.markdown"])).toBe("x/a.md");
  expect(slugOf("x/a.markdown", ["x/a.md", "b.md"])).toBe("x/a.markdown");
});

test("no two notes have one slug", () => {
  const path = fc
    .tuple(fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 }), fc.constantFrom(".md", ".markdown"))
    .map(([parts, extension]) => parts.join("/") + extension);
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), (all) => {
      expect(new Set(all.map((one) => slugOf(one, all))).size).toBe(all.length);
    }),
  );
});
