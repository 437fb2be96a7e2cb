import { describe, expect, test } from "bun:test";
import { parseNote } from "../../src/notes/parse.ts";
import { cutting, headingsOf, parse } from "./notes.ts";

describe("the title", () => {
  test.each([
    ["front matter goes first", "---\ntitle: Front\n---\n# Head\n", "Front"],
    ["then the first heading of level 1", "## Small\n\n# Big\n\n# Bigger\n", "Big"],
    ["underlined counts", "Big\n===\n\n# Other\n", "Big"],
    ["else the first heading", "text\n\n### Third\n\n## Second\n", "Third"],
    ["not one in a leading fence", "```\n# not a title\n```\n\n# Title\n", "Title"],
    [
      "nor in an indented block, a comment, a list or a quotation",
      "    # code\n\n<!--\n# no\n-->\n\n- # item\n\n> # quoted\n\n# Title\n",
      "Title",
    ],
    ["an empty heading is none", "#\n\n## Real\n", "Real"],
    ["else the file's name", "text #tag\n", "My note"],
    ["an empty front matter title is none", "---\ntitle: ''\n---\ntext\n", "My note"],
  ])("%s", (_, text, title) => {
    expect(parse(text, "a/b/My note.md").title).toBe(title);
  });
});

describe("a heading's words", () => {
  test.each([
    ["# **Bold** and _soft_ `code_x` ~~gone~~", "Bold and soft code_x gone"],
    ['# A [link](x.md "t") and [[note#part]] and [[note|alias]]', "A link and note#part and alias"],
    ["# ![picture](x.png) <b>html</b> a &amp; b \\* c", "picture html a & b * c"],
    ["# snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"],
    ["# [1.2.0] - 2024", "[1.2.0] - 2024"],
    ["# [text][label] <https://x.y/z>", "text https://x.y/z"],
    ["#\tTabbed ##  ", "Tabbed"],
    ["# C#", "C#"],
    ["# C++ ^block-id", "C++"],
    ["# Reactive `ref()` {#reactive-ref}", "Reactive ref()"],
    ["# 状态管理 {/*managing-state*/}", "状态管理"],
    ["# A set {a, b} {c}", "A set {a, b} {c}"],
    ["# 数据库 🌱", "数据库 🌱"],
    ["Two\nlines *here*\n---", "Two lines here"],
  ])("%s", (line, words) => {
    expect(headingsOf(parse(`${line}\n\ntext\n`))).toEqual([words]);
  });

  test("too long a heading is cut in the breadcrumb, and whole in the text", () => {
    const long = "word ".repeat(100).trim();
    const [section] = parse(`# ${long}\n\nbody\n`).sections;
    expect(section?.headings[0]).toBe("word ".repeat(60).trim());
    expect(section?.passages[0]?.text).toBe(`# ${long}\n\nbody`);
    expect(section?.passages[0]?.start).toBe(1);
  });
});

describe("fences by CommonMark's rules: no heading inside one cuts a section", () => {
  test.each([
    ["backticks", "```sh\n# install\n```\n"],
    ["tildes", "~~~\n# install\n~~~\n"],
    ["a longer one holds a shorter", "````\n```\n# install\n```\n````\n"],
    ["the other mark does not close", "```\n~~~\n# install\n```\n"],
    ["indented up to three spaces", "   ```\n   # install\n   ```\n"],
    ["a closing fence has no words after it", "```\n# a\n``` no\n# b\n```\n"],
    ["inside a list item", "- item\n\n  ```\n  # install\n  ```\n"],
    ["inside a quotation", "> ```\n> # install\n> ```\n"],
    ["code by indent", "text\n\n    # install\n"],
    ["an HTML comment", "<!--\n# a\n\n# b\n-->\n"],
  ])("%s", (_, block) => {
    expect(headingsOf(parse(`${block}\n# Real\n\ntext\n`))).toEqual(["", "Real"]);
  });

  test("one that is never closed runs to the end of the note", () => {
    expect(headingsOf(parse("# A\n\n```\n# b\n\n# c\n"))).toEqual(["A"]);
  });

  test("backticks with a backtick after them open none", () => {
    expect(headingsOf(parse("``` a`b\n# A\n"))).toEqual(["", "A"]);
  });
});

describe("headings", () => {
  test("only what CommonMark takes for one cuts", () => {
    expect(headingsOf(parse("#tag\n\n####### seven\n\n\\# escaped\n\n   ## three spaces\n\n## a\n"))).toEqual([
      "",
      "three spaces",
      "a",
    ]);
  });

  test("a line of dashes under text makes a heading, after a blank line a break, under a link definition nothing", () => {
    expect(headingsOf(parse("Head\n---\n\ntext\n\n---\n\n[a]: /x\n===\n"))).toEqual(["Head"]);
  });

  test("one in a list or quotation is prose of its section", () => {
    const note = parse("# A\n\n- ## item\n\n> ## quoted\n\nend\n");
    expect(headingsOf(note)).toEqual(["A"]);
    expect(note.sections[0]?.passages[0]?.text).toContain("- ## item");
  });

  test("the breadcrumb runs from the outermost to the heading's own, over missing levels", () => {
    const trails = parse("# A\n\n### B\n\n## C\n\n#### D\n\n# E\n").sections.map(({ headings }) =>
      headings.join(" > "),
    );
    expect(trails).toEqual(["A", "A > B", "A > C", "A > C > D", "E"]);
  });
});

describe("lines are those of the file on disk", () => {
  test("with front matter, blank lines and text before the first heading", () => {
    const note = parse("---\ntitle: x\n---\n\nintro\n\n# A\n\nbody\nmore\n\n## B\nend\n\n\n");
    expect(note.sections.map(({ level, start, end }) => [level, start, end])).toEqual([
      [0, 5, 6],
      [1, 7, 11],
      [2, 12, 15],
    ]);
    expect(note.sections.flatMap(({ passages }) => passages.map(({ text, start, end }) => [text, start, end]))).toEqual(
      [
        ["intro", 5, 5],
        ["body\nmore", 9, 10],
        ["end", 13, 13],
      ],
    );
  });

  test("with CRLF, and with a byte order mark", () => {
    const note = parse("\ufeff---\r\ntitle: x\r\n---\r\n# A\r\n\r\none\r\ntwo\r\n");
    expect(note.title).toBe("x");
    expect(note.sections.map(({ start, end, passages }) => [start, end, passages[0]?.text])).toEqual([
      [4, 7, "one\ntwo"],
    ]);
    expect(note.warnings).toEqual([]);
  });

  test("a setext heading begins at its text", () => {
    expect(
      parse("\n\nTwo\nlines\n===\nbody\n").sections.map(({ start, end, passages }) => [start, end, passages[0]?.start]),
    ).toEqual([[3, 6, 6]]);
  });

  test("a lone carriage return ends a line only in a file without line feeds", () => {
    expect(parse("a\rb\rc").sections[0]?.end).toBe(3);
    expect(parse("a\rb\nc").sections[0]?.end).toBe(2);
  });
});

describe("empty parts", () => {
  test("an empty file, or one of white space, has no sections", () => {
    for (const text of ["", "\n", "  \n\t\n\n", "\ufeff"]) expect(parse(text).sections).toEqual([]);
  });

  test("a heading without text has one empty passage, unless smaller headings follow it", () => {
    const passages = parse("# A\n\n## B\n\n## C\n").sections.map(({ passages }) => passages);
    expect(passages[0]).toEqual([]);
    expect(passages[1]).toEqual([{ block: "b", text: "", start: 3, end: 3, anchors: [] }]);
    expect(passages[2]).toEqual([{ block: "c", text: "", start: 5, end: 5, anchors: [] }]);
  });
});

describe("blocks", () => {
  const blocks = (text: string) => parse(text).sections.map(({ block }) => block);

  test("are the heading in lower case with dashes, and `overview` before the first", () => {
    expect(blocks("intro\n\n# The Great/Big One\n\n## 数据库 Ä\n\n##\n")).toEqual([
      "overview",
      "the-great-big-one",
      "数据库-ä",
      "section",
    ]);
  });

  test("are the heading's own id, or a line that is an id alone", () => {
    expect(blocks("## Foo ^my-id\n\ntext\n\n## Bar\n\n^other\n\ntext ^inline\n")).toEqual(["my-id", "other"]);
    expect(blocks("## Foo {#foo.1}\n\ntext\n\n## Bar {/*bar-2*/}\n\ntext\n")).toEqual(["foo.1", "bar-2"]);
  });

  test("get a number when used again", () => {
    expect(blocks("# a\n\n# a\n\n# a-2\n\n# A\n\n# a-2\n")).toEqual(["a", "a-2", "a-2-2", "a-3", "a-2-3"]);
  });
});

describe("bytes that are no plain text", () => {
  const bytes = (...values: (number | string)[]) =>
    new Uint8Array(
      values.flatMap((value) => (typeof value === "number" ? [value] : [...new TextEncoder().encode(value)])),
    );

  test("invalid UTF-8 is replaced, with one warning that names the first line", () => {
    const note = parseNote(
      "n.md",
      bytes("# A\n\nfine\nbad ", 0xff, " here and there ", 0xc3, " some more words\n"),
      cutting,
    );
    expect(note.sections[0]?.passages[0]?.text).toBe("fine\nbad \ufffd here and there \ufffd some more words");
    expect(note.warnings).toEqual([{ path: "n.md", line: 4, message: "some bytes are not UTF-8" }]);
  });

  test("a U+FFFD that was written is no fault", () => {
    expect(parse("a \ufffd b").warnings).toEqual([]);
  });

  test("UTF-16 with its mark is read, both ways round", () => {
    const little = new Uint8Array(Buffer.from("\ufeff# Käse\n", "utf16le"));
    const big = new Uint8Array(Buffer.from("\ufeff# Käse\n", "utf16le").swap16());
    for (const file of [little, big])
      expect(parseNote("n.md", file, cutting)).toMatchObject({ title: "Käse", warnings: [] });
  });

  test("a stray NUL is replaced and told", () => {
    const note = parse("# A\n\nsome text with\0 a NUL in it\n");
    expect(note.sections[0]?.passages[0]?.text).toBe("some text with\ufffd a NUL in it");
    expect(note.warnings).toEqual([{ path: "note.md", line: 3, message: "holds NUL characters" }]);
  });

  test("a file that is mostly no text is left out, and told", () => {
    const note = parseNote("a/photo.md", bytes(0x89, "PNG", 0, 0, 0xff, 0xfe, 0xd8, 0, 1, "#x [[y]]"), cutting);
    expect(note).toMatchObject({ title: "photo", sections: [], links: [], tags: [] });
    expect(note.warnings.map(({ message }) => message)).toContain("looks like a binary file, and is left out");
  });
});
