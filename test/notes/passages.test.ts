import { describe, expect, test } from "bun:test";
import { parseNote } from "../../src/notes/parse.ts";
import type { Passage } from "../../src/types.ts";

const cut = (text: string, ceiling: number, overlap = 0): readonly Passage[] =>
  parseNote("n.md", new TextEncoder().encode(text), { ceiling, overlap }).sections.flatMap(({ passages }) => passages);
const texts = (text: string, ceiling: number, overlap = 0) =>
  cut(text, ceiling, overlap).map((passage) => passage.text);

describe("where a long section is cut", () => {
  test("nowhere, when it fits to the letter", () => {
    expect(texts("# A\n\nab cd\n\nef gh\n\n\n", 12)).toEqual(["ab cd\n\nef gh"]);
    expect(texts("# A\n\nab cd\n\nef gh\n\n\n", 11)).toEqual(["ab cd", "ef gh"]);
  });

  test("at the last paragraph that fits, else line, sentence, word, character", () => {
    expect(texts("one two\n\nthree\nfour\n\nfive", 18)).toEqual(["one two", "three\nfour\n\nfive"]);
    expect(texts("one two\nthree\nfour five", 15)).toEqual(["one two\nthree", "four five"]);
    expect(texts("One two. Three. Four five six", 20)).toEqual(["One two. Three.", "Four five six"]);
    expect(texts("one two three four", 10)).toEqual(["one two", "three four"]);
    expect(texts("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(texts("性能很好。数据库也好。完", 8)).toEqual(["性能很好。", "数据库也好。完"]);
  });

  test("before a fence rather than in it, and in it at a line when it is too long alone", () => {
    expect(texts("intro\nline\n```\na\n\nb\n```\nend", 16)).toEqual(["intro\nline", "```\na\n\nb\n```\nend"]);
    expect(texts("```\naaaa\n\nbbbb\ncccc\n```", 12)).toEqual(["```\naaaa", "bbbb\ncccc", "```"]);
  });

  test("between the rows of a table, not in one", () => {
    expect(texts("| a b | c |\n| - | - |\n| d e | f |", 14)).toEqual(["| a b | c |", "| - | - |", "| d e | f |"]);
  });

  test("never in a surrogate pair, an accented letter or a joined emoji", () => {
    expect(texts("👍👍👍", 5)).toEqual(["👍👍", "👍"]);
    expect(texts("abce\u0301f", 4)).toEqual(["abc", "e\u0301f"]);
    expect(texts("ab👩‍👩‍👧cd", 8)).toEqual(["ab", "👩‍👩‍👧", "cd"]);
  });
});

describe("what the next part repeats", () => {
  test("the end of the one before, from a word on", () => {
    expect(texts("one two three four five six", 14, 6)).toEqual(["one two three", "three four", "four five six"]);
  });

  test("nothing that would fill more than half of it", () => {
    expect(texts("aa\n\n\n\n\n\n\n\n\nbbbbbbbb", 9, 4)).toEqual(["aa", "bbbbbbbb"]);
  });

  test("its lines are those of its whole text", () => {
    expect(cut("# A\n\none\ntwo\nthree\nfour\n", 9, 4).map(({ text, start, end }) => [text, start, end])).toEqual([
      ["one\ntwo", 3, 4],
      ["two\nthree", 4, 5],
      ["four", 6, 6],
    ]);
  });
});

describe("names of the parts", () => {
  test("the first has the section's, later ones -p2, -p3", () => {
    expect(cut("# A b\n\none\n\ntwo\n\nthree\n", 5).map(({ block }) => block)).toEqual(["a-b", "a-b-p2", "a-b-p3"]);
  });

  test("a paragraph that ends in an id is a passage of its own when the section is too long", () => {
    const text = "# A\n\none\n\ntwo ^key\n\nthree\n\nfour five six seven ^long\n";
    expect(cut(text, 60).map(({ block, anchors }) => [block, ...anchors])).toEqual([["a", "key", "long"]]);
    expect(cut(text, 16).map(({ block, text: part, anchors }) => [block, part, ...anchors])).toEqual([
      ["a", "one"],
      ["key", "two ^key", "key"],
      ["a-p2", "three"],
      ["long", "four five six"],
      ["long-p2", "seven ^long", "long"],
    ]);
  });

  test("an id belongs to the part where it is new, not where it is repeated", () => {
    expect(cut("# A\n\n- one ^x\n- two\n- three\n", 14, 9).map(({ text, anchors }) => [text, anchors])).toEqual([
      ["- one ^x", ["x"]],
      ["one ^x\n- two", []],
      ["- two\n- three", []],
    ]);
  });
});

describe("large and hostile files are read in linear time", () => {
  // Each would take hours were any step quadratic: the test ends, and that is the promise.
  const size = 400_000;
  test.each<[string, string]>([
    ["one line without a space", "a".repeat(size)],
    ["one line of words", "word ".repeat(size / 5)],
    ["blank lines alone between two words", `a${"\n".repeat(size)}b`],
    ["spaces inside a line and a heading", `# a${" ".repeat(size)}b\n\nc${" ".repeat(size)}d`],
    ["open brackets", "[".repeat(size)],
    ["brackets that close", "[".repeat(size / 2) + "]".repeat(size / 2)],
    ["links without end", "](<".repeat(size / 3)],
    ["comments without end", "<!-- ".repeat(size / 5)],
    ["tags without end", "<a ".repeat(size / 3)],
    ["backticks of all lengths", Array.from({ length: 800 }, (_, i) => "`".repeat(i + 1)).join(" ")],
    ["comment marks", "%% a\n\n".repeat(size / 6)],
    ["quotations in quotations", `${">".repeat(size)}\n`.repeat(2)],
    ["lists in lists", `${"- ".repeat(size / 2)}a\n`],
    ["a definition never finished", `[a]: b "${"x\n".repeat(size / 2)}`],
    ["one grapheme", `e${"\u0301".repeat(size)}`],
    ["a tag of slashes", `#${"/".repeat(size)}a`],
    ["one heading after another, all alike", "# a\n".repeat(size / 40)],
  ])("%s", (_, text) => {
    const note = parseNote("n.md", new TextEncoder().encode(text), { ceiling: 2_000, overlap: 150 });
    expect(note.sections.length).toBeGreaterThan(0);
  });

  test("a text eight times as long gives about eight times the passages", () => {
    const count = (times: number) => texts("Some words in a line.\nAnd another\n\n".repeat(times), 2_000, 150).length;
    const ratio = count(8_000) / count(1_000);
    expect(ratio).toBeGreaterThan(7.5);
    expect(ratio).toBeLessThan(8.5);
  });
});
