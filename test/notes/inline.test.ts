import { describe, expect, test } from "bun:test";
import { parse } from "./notes.ts";

const tags = (text: string) => parse(text).tags;
const links = (text: string) => parse(text).links.map(({ target, anchor, text: shown }) => [target, anchor, shown]);
const anchors = (text: string) =>
  parse(text).sections.flatMap(({ passages }) => passages.flatMap((passage) => passage.anchors));

describe("tags", () => {
  test("are tags in any script, nested by a slash", () => {
    expect(
      tags(
        "#заметка and #笔记, (no) #proj/área.\n\n- #tag_1-b\n\n> #quoted\n\n## Head #inhead\n\n#🌱 #日本語/メモ #हिन्दी",
      ),
    ).toEqual(["заметка", "笔记", "proj/área", "tag_1-b", "quoted", "inhead", "🌱", "日本語/メモ", "हिन्दी"]);
  });

  test("are not numbers, marks of headings, parts of words or addresses, nor escaped", () => {
    expect(
      tags('#123 a#b # c ##d \\#e https://x.y/#f [g](#h) &#35; #/ #- C# [[n#i]] ![](x.md#j) <a href="#k #l">'),
    ).toEqual([]);
    expect(tags("#2024/05 #y1984 #1a")).toEqual(["2024/05", "y1984", "1a"]);
  });

  test("are not looked for in code or comments", () => {
    expect(
      tags(
        "`#a` ``x ` #b`` <!-- #c --> %% #d %%\n\n```\n#e\n```\n\n    #f\n\n<!--\n#g\n\n#h\n-->\n\n%%\n#i\n\n#j\n%% #yes\n\n<div>\n#k\n</div>\n",
      ),
    ).toEqual(["yes"]);
  });

  test("come once each, after those of the front matter; a slash at the end is dropped", () => {
    expect(tags("---\ntags: [b, a]\n---\n#a #c #c/ #b\n")).toEqual(["b", "a", "c"]);
  });

  test("a comment mark that nothing closes hides nothing", () => {
    expect(tags("100%% sure #a\n\n#b")).toEqual(["a", "b"]);
    expect(tags("a <!-- b #a\n\n#b")).toEqual(["a", "b"]);
    expect(tags("a ` b #a `` c #b")).toEqual(["a", "b"]);
  });
});

describe("wikilinks", () => {
  test.each([
    ["[[t]]", ["t", "", "t"]],
    ["[[a/t#h]]", ["a/t", "h", "a/t#h"]],
    ["[[t#h1#h2|alias]]", ["t", "h1#h2", "alias"]],
    ["[[t#^b]]", ["t", "^b", "t#^b"]],
    ["![[embed.md]]", ["embed.md", "", "embed.md"]],
    ["[[#here]]", ["", "here", "#here"]],
    ["| [[t\\|in a table]] |", ["t", "", "in a table"]],
    ["[[ spaced out ]]", ["spaced out", "", "spaced out"]],
  ])("%s", (text, expected) => {
    expect(links(text)).toEqual([expected]);
  });

  test("are not those in code, comments, or what is escaped or broken", () => {
    expect(
      links("`[[a]]` <!-- [[b]] --> %% [[c]] %% \\[[d]] [[e\nf]] [[]] [[ [[g]\n\n```\n[[h]]\n```\n\n    [[i]]\n"),
    ).toEqual([]);
  });

  test("know their line in the file", () => {
    expect(
      parse("---\na: b\n---\n\nx\ny [[t]]\n\n- z\n  [[u]]\n").links.map(({ target, line }) => [target, line]),
    ).toEqual([
      ["t", 6],
      ["u", 9],
    ]);
  });
});

describe("Markdown links", () => {
  test.each([
    ["[text](note.md)", [["note.md", "", "text"]]],
    ['[text](my%20note.md#a%20b "title")', [["my note.md", "a b", "text"]]],
    ["[text](<my note.md>)", [["my note.md", "", "text"]]],
    [
      "[text](a(b)c.md) [x](../up.md 'y')",
      [
        ["a(b)c.md", "", "text"],
        ["../up.md", "", "x"],
      ],
    ],
    ["[here](#part)", [["", "part", "here"]]],
    ["[100%](100%.md)", [["100%.md", "", "100%"]]],
    [
      "[![alt](pic.png)](page.md)",
      [
        ["pic.png", "", "alt"],
        ["page.md", "", "![alt](pic.png)"],
      ],
    ],
    ["[a [b](in.md) c](out.md)", [["in.md", "", "b"]]],
    ["[text](\n  note.md\n)", [["note.md", "", "text"]]],
    [
      '[see][ref]\n\n[ref]: note.md "title"\n[other]: <b c.md#d>\n',
      [
        ["note.md", "", "ref"],
        ["b c.md", "d", "other"],
      ],
    ],
  ])("%s", (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  test("an address with a scheme or host is none, nor is one in code or without end", () => {
    expect(
      links(
        "[a](https://x.y) [b](mailto:c@d.e) [c](//x.y/z) <https://e.f> `[d](e.md)` [f](g.md [h] (i.md) [j]() [^1]: foot.md\n\n[^2]: note.md\n\n[k]: https://x.y\n",
      ),
    ).toEqual([]);
  });
});

describe("block ids", () => {
  test("end a paragraph or a list item, or have a line to themselves", () => {
    expect(
      anchors(
        "Text with an end. ^one\n\n- item ^two\n- item\n  - inner ^three-3\n\n| a |\n| - |\n\n^four\n\n> quote ^five\n",
      ),
    ).toEqual(["one", "two", "three-3", "four", "five"]);
  });

  test("a heading's is in its first passage", () => {
    expect(anchors("# A ^top\n\ntext ^low\n")).toEqual(["top", "low"]);
  });

  test("are not in code, in links, in the middle of a line, or glued to a word", () => {
    expect(anchors("`x ^a`\n\n[[n#^b]]\n\nx ^c y\n\nx^2\n\n```\n^d\n```\n\nfirst ^e\nsecond\n\n^ f\n\n^g h\n")).toEqual(
      [],
    );
  });
});
