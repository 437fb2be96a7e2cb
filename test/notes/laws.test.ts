import { describe, expect, test } from "bun:test";
import { parser } from "@lezer/markdown";
import fc from "fast-check";
import { yamlFields } from "../../src/notes/frontmatter.ts";
import { plainFields } from "../../src/notes/frontmatter-fast.ts";
import { bodyOf, outline } from "../../src/notes/markdown.ts";
import { parseNote } from "../../src/notes/parse.ts";
import { decode, linesOf } from "../../src/notes/text.ts";

const words = fc.constantFrom(
  "a",
  "the cat",
  "naïve",
  "数据库",
  "👩‍👩‍👧",
  "e\u0301",
  "snake_case",
  "**bold**",
  "don't. Then",
  "x".repeat(70),
);
const piece = fc.constantFrom(
  ...[
    "# ",
    "## ",
    "### ",
    "#",
    "> ",
    "- ",
    "  - ",
    "1. ",
    "    ",
    "\t",
    "```",
    "```ts",
    "~~~",
    "~~~~",
    "---",
    "===",
    "| a | b |",
    "<div>",
    "<!--",
    "-->",
  ],
  ...[
    "%%",
    "[[",
    "]]",
    "[x](",
    ")",
    "#tag",
    "^id",
    " ^id",
    "^other",
    "`",
    "``",
    "\\",
    "title: x",
    "---\n",
    "...",
    "\r",
    "\u2028",
    "\0",
    " ",
    "",
  ],
);
const line = fc.array(fc.oneof(piece, words), { maxLength: 5 }).map((parts) => parts.join(""));
const markdown = fc
  .tuple(
    fc.array(line, { maxLength: 40 }),
    fc.constantFrom("\n", "\r\n", "\n\n"),
    fc.constantFrom("", "---\ntitle: x\ntags: [a]\n---\n", "---\n"),
  )
  .map(([lines, end, front]) => front + lines.join(end));
const cutting = fc.record({ ceiling: fc.integer({ min: 4, max: 120 }), overlap: fc.integer({ min: 0, max: 60 }) });
const file = fc.oneof(
  { weight: 5, arbitrary: markdown.map((text) => new TextEncoder().encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }).map((text) => new TextEncoder().encode(text)) },
);

const blank = (text: string): boolean => text.trim() === "";

describe("for every file", () => {
  test("the sections lie end to end, and above them is front matter or nothing", () => {
    fc.assert(
      fc.property(file, cutting, (bytes, lengths) => {
        const { sections, warnings, excluded } = parseNote("n.md", bytes, lengths);
        const lines = linesOf(decode(bytes).text);
        if (sections.length === 0) {
          const binary = warnings.some(({ message }) => message.includes("binary"));
          expect(binary || excluded || lines.every(blank)).toBe(true);
          return;
        }
        const top = (sections[0]?.start ?? 0) - 1;
        const above = lines.slice(0, top);
        if (!above.every(blank)) expect(above[0]).toMatch(/^---/);
        expect(sections.flatMap(({ start, end }) => lines.slice(start - 1, end))).toEqual(lines.slice(top));
        for (const { start, end } of sections) expect(end).toBeGreaterThanOrEqual(start);
      }),
      { numRuns: 400 },
    );
  });

  test("a passage is no longer than the ceiling and stands word for word in its lines", () => {
    fc.assert(
      fc.property(file, cutting, (bytes, lengths) => {
        const { sections } = parseNote("n.md", bytes, lengths);
        const lines = linesOf(decode(bytes).text);
        for (const { passages, start, end } of sections)
          for (const passage of passages) {
            expect(passage.text.length).toBeLessThanOrEqual(lengths.ceiling);
            expect(passage.start).toBeGreaterThanOrEqual(start);
            expect(passage.end).toBeLessThanOrEqual(end);
            const range = lines.slice(passage.start - 1, passage.end);
            if (passage.text === "") continue;
            expect(range.join("\n")).toContain(passage.text);
            expect(passage.text.split("\n")).toHaveLength(range.length);
          }
      }),
      { numRuns: 400 },
    );
  });

  test("the passages leave out nothing but headings and white space", () => {
    fc.assert(
      fc.property(file, cutting, (bytes, lengths) => {
        const { sections } = parseNote("n.md", bytes, { ...lengths, overlap: 0 });
        const lines = linesOf(decode(bytes).text);
        const squeeze = (text: string) => text.replace(/\s/g, "");
        for (const { passages, start, end, level } of sections) {
          const body = squeeze(lines.slice(start - 1, end).join("\n"));
          const text = squeeze(passages.map((passage) => passage.text).join(""));
          if (text === "") continue;
          if (level === 0) expect(text).toBe(body);
          else expect(body.endsWith(text)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("blocks are unique in the note, and every anchor is written in its passage or heading", () => {
    fc.assert(
      fc.property(file, cutting, (bytes, lengths) => {
        const { sections } = parseNote("n.md", bytes, lengths);
        const lines = linesOf(decode(bytes).text);
        const blocks = sections.flatMap(({ block, passages }) => [
          ...new Set([block, ...passages.map((passage) => passage.block)]),
        ]);
        expect(new Set(blocks).size).toBe(blocks.length);
        for (const { passages, start } of sections)
          for (const { anchors, end } of passages)
            for (const anchor of anchors) {
              const text = lines.slice(start - 1, end).join("\n");
              expect([`^${anchor}`, `{#${anchor}}`, `{/*${anchor}*/}`].some((written) => text.includes(written))).toBe(
                true,
              );
            }
      }),
      { numRuns: 400 },
    );
  });

  test("a passage begins and ends with whole characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), cutting, (text, lengths) => {
        const { sections } = parseNote("n.md", new TextEncoder().encode(text), lengths);
        for (const { passages } of sections)
          for (const passage of passages) expect(passage.text.isWellFormed()).toBe(true);
      }),
    );
  });
});

test("headings, fences and prose are those the unchanged CommonMark parser finds", () => {
  const text = markdown.map((raw) => raw.replace(/\r/g, "").replaceAll("]", ")"));
  fc.assert(
    fc.property(text, (source) => {
      const body = bodyOf(source.split("\n"));
      const headings: [number, number][] = [];
      const fences: number[] = [];
      const leaves: number[] = [];
      parser.parse(source).iterate({
        enter({ name, from, node }) {
          const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
          const line = source.slice(0, from).split("\n").length - 1;
          if (level !== undefined && node.parent?.name === "Document") headings.push([Number(level), line]);
          if (name === "FencedCode") fences.push(line);
          if (name === "Paragraph" || level !== undefined)
            leaves.push(from + (name.startsWith("ATX") ? Number(level) : 0));
        },
      });
      const found = outline(body);
      expect(found.headings.map(({ level, first }) => [level, first])).toEqual(headings);
      expect(found.fences.map(([first]) => first)).toEqual(fences);
      expect(found.leaves.map(({ from }) => from)).toEqual(leaves);
    }),
    { numRuns: 1_000 },
  );
});

describe("the quick way through front matter", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "a",
      "a b",
      "2025-01-02",
      "1.10",
      "true",
      "null",
      "~",
      "a: b",
      "a:",
      "a #b",
      "a#b",
      "[a, b]",
      "[a, [b]]",
      "[]",
      "[a,]",
      "[ ]",
    ),
    fc.constantFrom(
      '"a: b"',
      "'it''s'",
      "'x'",
      '"\\n"',
      '"a" b',
      "[a: b]",
      "[a:b]",
      "{a: b}",
      "&x a",
      "*x",
      "!t a",
      "|",
      ">",
      "- a",
      "? a",
      "%a",
      "@a",
      "`a`",
    ),
    fc.constantFrom(
      '["a, b", c]',
      "['a', b c]",
      "[a #b]",
      "[it's]",
      "a\tb",
      "a ",
      " ",
      "",
      "日本",
      "é",
      "(a)",
      "...",
      "---",
      "/x",
      "a, b",
      "a]",
      "a}",
      "\ufeffa",
      "👩‍👧",
      "null # c",
      '"a" # c',
      "a\u00a0",
    ),
    fc.string({ maxLength: 8 }),
  );
  const key = fc.constantFrom("title", "tags", "aliases", "x-y", "ключ", "a b", '"q"', "1", "a.b");
  const line = fc.oneof(
    fc.tuple(key, fc.constantFrom(": ", ":", ":  ", " : "), value).map((parts) => parts.join("")),
    fc.tuple(fc.constantFrom("- ", "  - ", "    - ", "-", " -  "), value).map((parts) => parts.join("")),
    fc.constantFrom("", "  ", "# c", "  # c", "  a", "\ta: b", "tags:", "aliases:", "\u00a0"),
  );

  test("reads what the yaml package reads, or declines", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const plain = plainFields(lines);
        if (plain === undefined) return;
        taken++;
        const { fields, problem } = yamlFields(lines.join("\n"));
        expect(problem).toBeUndefined();
        expect(plain.filter((field) => field.value !== "")).toEqual(
          (fields ?? []).filter((field) => field.value !== ""),
        );
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(200);
  });
});
