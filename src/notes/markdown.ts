import { type BlockParser, parser } from "@lezer/markdown";

/** A heading that cuts the note. Lines are 0-based in the body; a setext heading's `last` is its underline. */
export type Heading = { readonly level: number; readonly first: number; readonly last: number; readonly raw: string };

/** Prose that may hold links and tags: a paragraph or a heading's text, as offsets into the body. */
export type Leaf = { readonly from: number; readonly to: number };

/** The block structure of a body. `fences` are first and last line of each fenced block. All in order. */
export type Outline = {
  readonly headings: readonly Heading[];
  readonly leaves: readonly Leaf[];
  readonly fences: readonly (readonly [first: number, last: number])[];
};

/** A text with the offsets where its lines begin. Lines are 0-based. */
export type Body = { readonly text: string; readonly lines: readonly string[]; readonly starts: readonly number[] };

export function bodyOf(lines: readonly string[]): Body {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text: lines.join("\n"), lines, starts };
}

/** The line an offset lies on. */
export function lineAt({ starts }: Body, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Nesting beyond this is read as text: the parser's time grows with the depth of every line. */
const deepest = 32;

/**
 * CommonMark's blocks alone. Inline text is passed over unread. Link definitions are left in their paragraphs: the parser
 * needs quadratic time for one that is never finished.
 */
const blocks = parser.configure({
  remove: ["LinkReference"],
  parseInline: [{ name: "Unread", before: "Escape", parse: (context) => context.end }],
  parseBlock: [
    {
      name: "TooDeep",
      before: "Blockquote",
      parse(context, line) {
        if (context.depth <= deepest) return false;
        const from = context.lineStart + line.pos;
        context.nextLine();
        context.addElement(context.elt("Paragraph", from, context.prevLineEnd()));
        return true;
      },
    },
  ],
});

type Found = {
  readonly headings: Heading[];
  readonly leaves: Leaf[];
  readonly fences: [first: number, last: number][];
};

/**
 * Finds headings, prose and fences by CommonMark's rules. A heading inside a list or a quotation is prose: it cuts nothing,
 * as what follows may still belong to that list.
 */
export function outline(body: Body): Outline {
  const found: Found = { headings: [], leaves: [], fences: [] };
  const tree = blocks.configure({ parseBlock: [takeHeading(body, found), takeParagraph(found)] }).parse(inputOf(body));
  const { length } = found.leaves;
  walk(body, tree, found);
  if (found.leaves.length > length) {
    found.leaves.sort((a, b) => a.from - b.from);
    found.headings.sort((a, b) => a.first - b.first);
  }
  return found;
}

// The bulk of a note are paragraphs and headings outside of any list. Taken as the parser meets them they need no place in
// its tree: half the time, and a tenth of the memory.

function takeHeading(body: Body, { headings, leaves }: Found): BlockParser {
  return {
    name: "TakeHeading",
    before: "ATXHeading",
    parse(context, line) {
      if (line.next !== hash || context.depth > 1) return false;
      const level = /^#{1,6}(?=[ \t]|$)/.exec(line.text.slice(line.pos, line.pos + 7))?.[0].length;
      if (level === undefined) return false;
      const first = lineAt(body, context.lineStart);
      const from = context.lineStart + line.pos + level;
      headings.push({ level, first, last: first, raw: withoutClosing(line.text.slice(line.pos + level).trim()) });
      leaves.push({ from, to: context.lineStart + line.text.length });
      context.nextLine();
      return true;
    },
  };
}

const hash = 35;

function takeParagraph({ leaves }: Found): BlockParser {
  return {
    name: "TakeParagraph",
    leaf: (_, leaf) => ({
      nextLine: () => false,
      finish(context) {
        if (context.depth > 1) return false;
        leaves.push({ from: leaf.start, to: leaf.start + leaf.content.length });
        return true;
      },
    }),
  };
}

function walk(body: Body, tree: ReturnType<typeof blocks.parse>, { headings, leaves, fences }: Found): void {
  let depth = 0;
  tree.iterate({
    enter({ name, from, to }) {
      if (name === "Paragraph") leaves.push({ from, to });
      else if (name === "FencedCode") fences.push([lineAt(body, from), lineAt(body, Math.max(from, to - 1))]);
      else if (name.startsWith("ATXHeading")) leaves.push({ from: from + Number(name.at(-1)), to });
      else if (name.startsWith("SetextHeading")) {
        leaves.push({ from, to });
        const heading = underlined(body, Number(name.at(-1)), from, to);
        if (depth === 1 && !isDefinition.test(heading.raw)) headings.push(heading);
      } else if (containers.has(name)) {
        depth++;
        return true;
      }
      return false;
    },
    leave({ name }) {
      if (containers.has(name)) depth--;
    },
  });
}

const containers: ReadonlySet<string> = new Set(["Document", "Blockquote", "BulletList", "OrderedList", "ListItem"]);

const isDefinition = /^\[[^\]^][^\]]*\]:\s*\S+$/;

function underlined(body: Body, level: number, from: number, to: number): Heading {
  const text = body.text.slice(from, to);
  const raw = text.slice(0, text.lastIndexOf("\n")).replaceAll("\n", " ").trim();
  return { level, first: lineAt(body, from), last: lineAt(body, to - 1), raw };
}

/** `Title ##` is `Title`, `C#` stays, `##` alone is nothing. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || text[end - 1] === " " || text[end - 1] === "\t" ? text.slice(0, end).trimEnd() : text;
}

/** Hands the parser line by line what is split already: twice as fast as letting it look for the line ends. */
function inputOf({ text, lines, starts }: Body) {
  let line = 0;
  return {
    length: text.length,
    lineChunks: true,
    chunk(from: number): string {
      while (line > 0 && (starts[line] ?? 0) > from) line--;
      while (line + 1 < lines.length && (starts[line + 1] ?? 0) <= from) line++;
      const rest = (lines[line] ?? "").slice(from - (starts[line] ?? 0));
      return rest === "" ? "\n" : rest;
    },
    read: (from: number, to: number): string => text.slice(from, to),
  };
}
