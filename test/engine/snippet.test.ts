import { expect, test } from "bun:test";
import fc from "fast-check";
import { flat, snippet } from "../../src/engine/snippet.ts";

const mark = (text: string, word: string, term: number) => {
  const start = text.indexOf(word);
  return { start, end: start + word.length, term };
};

test("a short text is shown whole, its words marked", () => {
  const text = "the retry queue";
  expect(snippet(text, [mark(text, "queue", 0)], [1])).toEqual({ text, marks: [{ start: 10, end: 15 }] });
});

test("of two places the one with the rarer word is shown", () => {
  const text = `common ${"filler ".repeat(80)}rare ${"filler ".repeat(80)}`.trim();
  const shown = snippet(text, [mark(text, "common", 0), mark(text, "rare", 1)], [0.5, 5]);
  expect(shown.text).toContain("rare");
  expect(shown.text).not.toContain("common");
  expect(shown.text.startsWith("…")).toBe(true);
  expect(shown.text.endsWith("…")).toBe(true);
  const [only] = shown.marks;
  expect(shown.text.slice(only?.start, only?.end)).toBe("rare");
});

test("two words together outweigh one repeated", () => {
  const text = `${"alpha ".repeat(10)}${"filler ".repeat(60)}alpha beta ${"filler ".repeat(60)}`.trim();
  const found = [...text.matchAll(/alpha|beta/g)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    term: word === "alpha" ? 0 : 1,
  }));
  expect(snippet(text, found, [2, 2]).text).toContain("alpha beta");
});

test("a text without spaces is cut between characters, never inside one", () => {
  const text = "数据库性能🚀".repeat(200);
  const shown = snippet(text, [], []);
  expect(shown.text.length).toBeLessThanOrEqual(302);
  expect(shown.text).toBe(shown.text.toWellFormed());
});

test("whatever is marked, a snippet is a piece of its text within the length, and marks lie inside", () => {
  const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), { maxLength: 120 });
  fc.assert(
    fc.property(words, fc.array(fc.tuple(fc.nat(800), fc.nat(8), fc.nat(2)), { maxLength: 20 }), (parts, places) => {
      const text = flat(parts.join(" "));
      const found = places
        .map(([start, length, term]) => ({ start, end: start + length + 1, term }))
        .filter(({ end }) => end <= text.length)
        .sort((a, b) => a.start - b.start || b.end - a.end);
      const shown = snippet(text, found, [1, 2, 3], 100);
      expect(text).toContain(shown.text.replace(/^…/u, "").replace(/…$/u, ""));
      expect(shown.text.length).toBeLessThanOrEqual(102 + 30);
      for (const { start, end } of shown.marks)
        expect(start >= 0 && end <= shown.text.length && start < end).toBe(true);
    }),
  );
});

test("nothing that steers a terminal or hides text stays in a flat text", () => {
  expect(flat("a\x1b[31mred\x07\u202eb\u200b\n\tc\u0085d")).toBe("a[31mredb cd");
});
