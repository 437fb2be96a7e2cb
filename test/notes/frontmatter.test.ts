import { describe, expect, test } from "bun:test";
import { parse } from "./notes.ts";

const front = (...lines: string[]) => parse(`---\n${lines.join("\n")}\n---\n\nbody\n`);

describe("the keys that mean something", () => {
  test("title, aliases, tags and dates, as text or list, in any letter case", () => {
    const note = front(
      "Title: The title",
      'aliases: [One, "Two, too"]',
      'tags: "a, #b c/d"',
      "Created: 2025-02-22",
      "updated: 2025-03-01T10:00:00+02:00",
    );
    expect(note.title).toBe("The title");
    expect(note.aliases).toEqual(["One", "Two, too"]);
    expect(note.tags).toEqual(["a", "b", "c/d"]);
    expect([note.created, note.modified]).toEqual(["2025-02-22", "2025-03-01"]);
    expect(note.warnings).toEqual([]);
  });

  test("the singular forms and block lists", () => {
    const note = front("alias: Only one, with a comma", "tag:", "  - '#x'", "  - two words", "  - proj//área/");
    expect(note.aliases).toEqual(["Only one, with a comma"]);
    expect(note.tags).toEqual(["x", "two words", "proj/área"]);
  });

  test("a value is the text that was written: no number, truth or date is made of it", () => {
    const note = front("title: 1.10", "tags: [2024, yes]", "version: 1.20", "draft: true", "zip: 007");
    expect(note.title).toBe("1.10");
    expect(note.tags).toEqual(["2024", "yes"]);
    expect(note.fields).toEqual([
      ["version", "1.20"],
      ["draft", "true"],
      ["zip", "007"],
    ]);
  });

  test("modified goes before updated; what is no date of the calendar stays a plain field", () => {
    const note = front(
      "updated: 2025-01-02",
      "modified: 2025-01-03",
      "created: 2025-02-30",
      "valid_until: 2024-02-29 or so",
    );
    expect([note.modified, note.created, note.validUntil]).toEqual(["2025-01-03", undefined, "2024-02-29"]);
    expect(note.fields).toEqual([
      ["updated", "2025-01-02"],
      ["created", "2025-02-30"],
    ]);
  });

  test("all other keys are kept, flattened; a list gives its key once per item; nothing comes of empty values", () => {
    const note = front(
      "a:",
      "  b: x",
      "  c: [y, z]",
      "list: [{n: 1}, {n: 2}]",
      "none: ~",
      "empty:",
      "text: |",
      "  two",
      "  lines",
    );
    expect(note.fields).toEqual([
      ["a.b", "x"],
      ["a.c", "y"],
      ["a.c", "z"],
      ["list.n", "1"],
      ["list.n", "2"],
      ["text", "two\nlines"],
    ]);
  });

  test.each([
    ["supersedes: [[old/A note.md#part|shown]]", ["A note"]],
    ['supersedes: "[[a]], [[b|c]]"', ["a", "b"]],
    ["supersedes: [a, 'x/b.md']", ["a", "b"]],
    ['supersedes:\n  - "[[a]]"\n  - [[b]]', ["a", "b"]],
    ["supersedes: a, b", ["a", "b"]],
  ])("%s", (line, expected) => {
    expect(front(line).supersedes).toEqual(expected);
  });

  test("superseded_by is one note", () => {
    expect(front('superseded_by: "[[new/Plan]]"').supersededBy).toBe("Plan");
    expect(front("x: y").supersededBy).toBeUndefined();
  });

  test("sensitivity is unpublished unless said, and an unknown one is told", () => {
    expect(front("sensitivity: Public").sensitivity).toBe("public");
    expect(front("a: b").sensitivity).toBe("unpublished");
    const odd = front("sensitivity: secret");
    expect(odd.sensitivity).toBe("unpublished");
    expect(odd.warnings).toEqual([
      { path: "note.md", line: 1, message: 'unknown sensitivity "secret", taken as unpublished' },
    ]);
  });

  test("search: exclude keeps the note out", () => {
    const note = front("title: T", "search: 'Exclude'");
    expect([note.excluded, note.sections, note.title]).toEqual([true, [], "T"]);
    const other = front("search: include");
    expect([other.excluded, other.sections.length, other.fields]).toEqual([false, 1, [["search", "include"]]]);
  });
});

describe("broken YAML costs one warning with file and line, and the body is indexed", () => {
  test.each([
    ["a colon in a plain value", ["title: broken: yaml: [unclosed", "tags: [a, b]"], 2],
    ["a key twice", ["title: broken: no", "tags: [a, b]", "tags: c"], 2],
    ["a tab for indentation", ["title: 'broken: yaml: [unclosed'", "tags:", "\t- a", "\t- b"], 4],
    ["a list never closed", ["tags: [a, b", "title: x"], 3],
  ])("%s", (_, lines, line) => {
    const note = front(...lines);
    expect(note.warnings).toHaveLength(1);
    expect(note.warnings[0]).toMatchObject({ path: "note.md", line });
    expect(note.tags).toEqual(["a", "b"]);
    expect(note.sections.map(({ passages }) => passages[0]?.text)).toEqual(["body"]);
  });

  test("its plain lines are read all the same", () => {
    const note = front("title: broken: yaml: [unclosed", "supersedes: [a]", "other: x", "other: y");
    expect(note.title).toBe("broken: yaml: [unclosed");
    expect(note.supersedes).toEqual(["a"]);
    expect(note.fields).toEqual([["other", "x"]]);
  });

  test("a duplicate key alone leaves the rest whole, the last one counts", () => {
    const note = front("a: {b: 1}", "title: x", "title: y");
    expect(note.title).toBe("y");
    expect(note.fields).toEqual([["a.b", "1"]]);
    expect(note.warnings).toEqual([{ path: "note.md", line: 4, message: "front matter: Map keys must be unique" }]);
  });

  test("a bomb of aliases does not go off", () => {
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x, x]",
      ..."bcdefgh".split("").map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefg"[i]}`)}]`),
    ];
    const note = front(...bomb, "title: still here");
    expect(note.title).toBe("still here");
    expect(note.warnings).toHaveLength(1);
  });

  test("nor do brackets without end, or front matter that is a book", () => {
    expect(front("title: deep", `x: ${"[".repeat(20_000)}`).title).toBe("deep");
    const long = front("title: long", ...Array.from({ length: 20_000 }, (_, i) => `key${i}: value`));
    expect(long.title).toBe("long");
    expect(long.warnings.map(({ line }) => line)).toEqual([1]);
  });
});

describe("where front matter begins and ends", () => {
  test("never closed, it is text, and that is told when it looks like front matter", () => {
    const note = parse("---\ntitle: x\n\nbody\n");
    expect(note.sections[0]?.passages[0]?.text).toBe("---\ntitle: x\n\nbody");
    expect(note.warnings.map(({ line, message }) => [line, message])).toEqual([
      [1, "front matter is never closed; it is read as text"],
    ]);
    expect(parse("---\n\nA break, then prose.\n").warnings).toEqual([]);
  });

  test("two thematic breaks around prose are no front matter", () => {
    for (const prose of [
      "Just prose.",
      "\nNote: this is prose, as a blank line comes first: see?",
      "- a list\n- of two",
    ]) {
      const note = parse(`---\n${prose}\n\n---\n\nmore\n`);
      expect(note.fields).toEqual([]);
      expect(note.sections[0]?.start).toBe(1);
      expect(note.warnings).toEqual([]);
    }
  });

  test("`...` closes it too, spaces may follow the dashes, and a `---` inside a value closes nothing", () => {
    expect(parse("---  \ntitle: x\n...\nbody\n").title).toBe("x");
    const note = parse("---\ntitle: a---b\ntext: |\n  ---\n---\nbody\n");
    expect([note.title, note.sections[0]?.start]).toEqual(["a---b", 6]);
  });

  test("it must be the first line", () => {
    expect(parse("\n---\ntitle: x\n---\n").title).not.toBe("x");
  });

  test("with a blank line at its top it counts when it is plain", () => {
    expect(parse("---\n\ntitle: x\n---\nbody\n").title).toBe("x");
  });

  test("a comment in it is no title", () => {
    expect(parse("---\n# yaml comment\ncreated: 2025-01-01\n---\n\n# Real\n").title).toBe("Real");
  });

  test("a note of front matter alone has one empty section, to be found by its title", () => {
    const note = parse("---\ntitle: x\n---\n\n");
    expect(note.sections).toEqual([
      {
        level: 0,
        headings: [],
        block: "overview",
        start: 1,
        end: 4,
        passages: [{ block: "overview", text: "", start: 1, end: 4, anchors: [] }],
      },
    ]);
    expect(parse("---\n---\n").sections).toHaveLength(1);
  });
});
