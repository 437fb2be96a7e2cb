import type { Link } from "../types.ts";
import { tagName } from "./facts.ts";
import { destination, markdownLink, wikiLink } from "./links.ts";
import { type Body, type Leaf, lineAt } from "./markdown.ts";

/** A block id: `id` without its caret, `at` the caret's offset in the body. `alone`: it has a line to itself. */
export type Anchor = { readonly id: string; readonly at: number; readonly alone: boolean };

/** What stands inside the prose, in order. */
export type Inline = {
  readonly links: readonly Link[];
  readonly tags: readonly string[];
  readonly anchors: readonly Anchor[];
};

/** Characters. What is longer was never meant as a tag. */
const longestTag = 200;

type Scan = {
  readonly body: Body;
  /** Lines of the file above the body. */
  readonly above: number;
  readonly links: Link[];
  readonly tags: string[];
  /** Inside a `%%` comment that began in an earlier leaf. */
  hidden: boolean;
};

/**
 * Links, tags and block ids of the prose, not of what stands in code, HTML comments or `%%` comments. Linear in the length of the text.
 *
 * A tag is `#` at the start or after white space, then letters and digits of any script, marks, emoji, `_`, `-` and `/`,
 * not digits alone. A `%%` that nothing closes is text.
 */
export function inlineOf(body: Body, above: number, leaves: readonly Leaf[]): Inline {
  const scan: Scan = { body, above, links: [], tags: [], hidden: false };
  const anchors: Anchor[] = [];
  for (const { from, to } of leaves) {
    const text = body.text.slice(from, to);
    if (scan.hidden || /[[#]|%%/.test(text)) scanLeaf(scan, text, from);
    if (text.includes("^")) anchors.push(...anchorsIn(text, from));
  }
  return { links: scan.links, tags: scan.tags, anchors };
}

/** Ids that end a block, or have a line to themselves. */
function anchorsIn(text: string, from: number): Anchor[] {
  const found: Anchor[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const last = start + line.length === text.length;
    const end = line.trimEnd();
    const caret = end.lastIndexOf("^");
    const before = end.slice(Math.max(0, caret - 1), Math.max(0, caret));
    if (caret >= 0 && /^$|[\s>]/.test(before) && /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(end.slice(caret + 1))) {
      const alone = /^[\s>]*$/.test(end.slice(0, caret));
      if (alone || last) found.push({ id: end.slice(caret + 1), at: from + start + caret, alone });
    }
    start += line.length + 1;
  }
  return found;
}

type Cursor = {
  readonly scan: Scan;
  readonly text: string;
  /** The leaf's offset in the body. */
  readonly base: number;
  /** Offsets of `[` not yet closed. */
  readonly open: number[];
  /** Where each run of backticks ends, if a later run of equal length closes it. Made when the first is met. */
  closers: ReadonlyMap<number, number> | undefined;
  /** No `-->` from here on. */
  unclosed: boolean;
};

function scanLeaf(scan: Scan, text: string, base: number): void {
  const cursor: Cursor = { scan, text, base, open: [], closers: undefined, unclosed: false };
  const token = /\\.|`+|%%|<|\[|\]|#/gs;
  if (scan.hidden) {
    const end = text.indexOf("%%");
    if (end < 0) return;
    scan.hidden = false;
    token.lastIndex = end + 2;
  }
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const next = step(cursor, found[0], found.index);
    if (next === undefined) return;
    token.lastIndex = next;
  }
}

/** Handles the token at `at`; where to go on, or undefined when the rest of the leaf is hidden. */
function step(cursor: Cursor, token: string, at: number): number | undefined {
  const { text } = cursor;
  switch (token[0]) {
    case "`":
      cursor.closers ??= closersOf(text);
      return cursor.closers.get(at) ?? at + token.length;
    case "%":
      return afterComment(cursor, at);
    case "<":
      return afterTag(cursor, at);
    case "[":
      return openBracket(cursor, at);
    case "]":
      return closeBracket(cursor, at);
    case "#":
      return hashtag(cursor, at);
    default:
      return at + token.length;
  }
}

function closersOf(text: string): Map<number, number> {
  const runs = [...text.matchAll(/`+/g)];
  const next = new Map<number, number>();
  const closers = new Map<number, number>();
  for (const { 0: run, index } of runs.reverse()) {
    const closer = next.get(run.length);
    if (closer !== undefined) closers.set(index, closer + run.length);
    next.set(run.length, index);
  }
  return closers;
}

function afterComment({ scan, text, base }: Cursor, at: number): number | undefined {
  const end = text.indexOf("%%", at + 2);
  if (end >= 0) return end + 2;
  if (scan.body.text.indexOf("%%", base + text.length) < 0) return at + 2;
  scan.hidden = true;
  return undefined;
}

/** Past an HTML comment, a tag or an autolink. */
function afterTag(cursor: Cursor, at: number): number {
  const { text } = cursor;
  if (text.startsWith("<!--", at)) {
    const end = cursor.unclosed ? -1 : text.indexOf("-->", at + 4);
    cursor.unclosed ||= end < 0;
    return end < 0 ? at + 4 : end + 3;
  }
  const tag = /<[A-Za-z/][^<>]*>/y;
  tag.lastIndex = at;
  return tag.test(text) ? tag.lastIndex : at + 1;
}

function openBracket(cursor: Cursor, at: number): number {
  const { scan, text, base } = cursor;
  if (text[at + 1] === "[") {
    const wiki = /\[\[([^[\]\n]+)\]\]/y;
    wiki.lastIndex = at;
    const inside = wiki.exec(text)?.[1];
    if (inside !== undefined) {
      scan.links.push(wikiLink(inside, lineOf(cursor, base + at)));
      return wiki.lastIndex;
    }
  }
  cursor.open.push(at);
  return at + 1;
}

function closeBracket(cursor: Cursor, at: number): number {
  const { scan, text, open, base } = cursor;
  const start = open.pop();
  if (start === undefined) return at + 1;
  const label = text.slice(start + 1, at);
  if (text[at + 1] === "(") {
    const end = destination(text, at + 2, true);
    if (end === undefined) return at + 1;
    const link = markdownLink(end.target, label, lineOf(cursor, base + start));
    if (link !== undefined) scan.links.push(link);
    // A link holds no link, but a picture may stand in one.
    if (text[start - 1] !== "!") open.length = 0;
    return end.after;
  }
  const defines = text[at + 1] === ":" && !label.startsWith("^") && beginsLine(text, start);
  const end = defines ? destination(text, at + 2, false) : undefined;
  if (end === undefined) return at + 1;
  const link = markdownLink(end.target, label, lineOf(cursor, base + start));
  if (link !== undefined) scan.links.push(link);
  return end.after;
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === ">") before--;
  return before < 0 || text[before] === "\n";
}

function hashtag({ scan, text }: Cursor, at: number): number {
  if (at > 0 && !/\s/.test(text[at - 1] ?? "")) return at + 1;
  const tag = /#((?:[\p{L}\p{M}\p{N}\p{Emoji_Presentation}\p{Extended_Pictographic}_/-]|\p{Emoji_Modifier}|\u200d)+)/uy;
  tag.lastIndex = at;
  const name = tagName(tag.exec(text)?.[1] ?? "");
  if (name.length <= longestTag && /[^\p{N}_/-]|\p{N}[^\p{N}]+\p{N}/u.test(name)) scan.tags.push(name);
  return Math.max(tag.lastIndex, at + 1);
}

const lineOf = ({ scan }: Cursor, offset: number): number => scan.above + lineAt(scan.body, offset) + 1;
