import { parser } from "@lezer/markdown";

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

/**
 * Finds headings, prose and fences by CommonMark's rules. A heading inside a list or a quotation is prose: it cuts nothing,
 * as what follows may still belong to that list.
 */
export function outline(body: Body): Outline {
  const headings: Heading[] = [];
  const leaves: Leaf[] = [];
  const fences: (readonly [number, number])[] = [];
  let depth = 0;
  blocks.parse(inputOf(body)).iterate({
    enter({ name, from, to }) {
      if (name === "Paragraph") leaves.push({ from, to });
      else if (name === "FencedCode") fences.push([lineAt(body, from), lineAt(body, Math.max(from, to - 1))]);
      else if (name.startsWith("ATXHeading") || name.startsWith("SetextHeading")) {
        const heading = headingOf(body, name, from, to);
        const text = { from: name.startsWith("ATX") ? from + heading.level : from, to };
        leaves.push(text);
        if (depth === 1 && !(name.startsWith("Setext") && isDefinition.test(heading.raw))) headings.push(heading);
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
  return { headings, leaves, fences };
}

const containers: ReadonlySet<string> = new Set(["Document", "Blockquote", "BulletList", "OrderedList", "ListItem"]);

const isDefinition = /^\[[^\]^][^\]]*\]:\s*\S+$/;

function headingOf(body: Body, name: string, from: number, to: number): Heading {
  const level = Number(name.at(-1));
  const first = lineAt(body, from);
  const last = lineAt(body, Math.max(from, to - 1));
  const text = body.text.slice(from, to);
  if (name.startsWith("ATX")) return { level, first, last, raw: withoutClosing(text.slice(level).trim()) };
  return { level, first, last, raw: text.slice(0, text.lastIndexOf("\n")).replaceAll("\n", " ").trim() };
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
