import { graphemeBefore } from "./graphemes.ts";
import { type Body, lineAt } from "./markdown.ts";
import type { Cutting } from "./source.ts";

/**
 * A stretch of the body to search as one, as offsets. `key` is the block id of the paragraph it is `part` of, where that paragraph was
 * set apart; parts count from 1.
 */
export type Span = {
  readonly from: number;
  readonly to: number;
  readonly key: string | undefined;
  readonly part: number;
};

/** Ids at the end of a paragraph's last line, by that line; lines are 0-based in the body. */
export type Keys = ReadonlyMap<number, string>;

/** First and last line of each fenced block in the lines, in order. */
export type Fences = readonly (readonly [first: number, last: number])[];

type Rank = "paragraph" | "line" | "fenced";
/** A place to cut: the start of a line that is not blank. */
type Break = { readonly at: number; readonly rank: Rank };

/**
 * Cuts lines `first` to `last` of the body into spans of at most `ceiling` UTF-16 units (4 or more), none when the lines are blank.
 *
 * What fits stays whole. Otherwise a paragraph that ends in a block id is set apart, and the rest is filled up to the
 * ceiling, cut at the last paragraph that fits, else the last line, sentence, word, character. A fence is cut only
 * when it alone is over the ceiling; a line (and so a table row) likewise. Each next span begins with the last `overlap` units of
 * the one before, from a word on.
 *
 * Holds for every input: what is not repeated comes in order, and leaves out white space only.
 */
export function spansOf(body: Body, first: number, last: number, fences: Fences, keys: Keys, cutting: Cutting): Span[] {
  let [top, end] = [first, last];
  while (top <= end && blank(body, top)) top++;
  while (end >= top && blank(body, end)) end--;
  if (top > end) return [];
  const from = body.starts[top] ?? 0;
  const to = trimmed(body.text, from, lineEnd(body, end));
  if (to - from <= cutting.ceiling) return [{ from, to, key: undefined, part: 1 }];
  const breaks = breaksIn(body, top, end, fences);
  const reached = { breaks: 0 };
  return groupsOf(body, from, to, breaks, keys).flatMap((group) => cut(body.text, group, breaks, reached, cutting));
}

const blank = ({ lines }: Body, line: number): boolean => (lines[line] ?? "").trim() === "";

const lineEnd = ({ starts, lines }: Body, line: number): number => (starts[line] ?? 0) + (lines[line] ?? "").length;

function breaksIn(body: Body, top: number, end: number, fences: Fences): Break[] {
  const breaks: Break[] = [];
  let fence = 0;
  for (let line = top + 1; line <= end; line++) {
    while (fence < fences.length && (fences[fence]?.[1] ?? 0) < line) fence++;
    if (blank(body, line)) continue;
    const inside = (fences[fence]?.[0] ?? line) < line;
    const rank = inside ? "fenced" : blank(body, line - 1) ? "paragraph" : "line";
    breaks.push({ at: body.starts[line] ?? 0, rank });
  }
  return breaks;
}

type Group = { readonly from: number; readonly to: number; readonly key: string | undefined };

/** Paragraphs with a block id alone, all between them together. */
function groupsOf(body: Body, from: number, to: number, breaks: readonly Break[], keys: Keys): Group[] {
  const starts = [from, ...breaks.filter(({ rank }) => rank === "paragraph").map(({ at }) => at)];
  const groups: Group[] = [];
  let held: number | undefined;
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1];
    const end = next === undefined ? to : trimmed(body.text, start, next);
    const key = keys.size === 0 ? undefined : keys.get(lineAt(body, end - 1));
    if (key === undefined) held ??= start;
    else {
      if (held !== undefined) groups.push({ from: held, to: trimmed(body.text, held, start), key: undefined });
      groups.push({ from: start, to: end, key });
      held = undefined;
    }
  }
  if (held !== undefined) groups.push({ from: held, to, key: undefined });
  return groups;
}

/** How many breaks lie at or before the last limit. */
type Reached = { breaks: number };

function cut(
  text: string,
  { from, to, key }: Group,
  breaks: readonly Break[],
  reached: Reached,
  { ceiling, overlap }: Cutting,
): Span[] {
  const spans: Span[] = [];
  let start = from;
  let fresh = from;
  while (to - start > ceiling) {
    const limit = start + ceiling;
    while (reached.breaks < breaks.length && (breaks[reached.breaks]?.at ?? 0) <= limit) reached.breaks++;
    const at = breakBefore(breaks, reached.breaks, fresh) ?? withinLine(text, fresh, limit);
    const end = trimmed(text, fresh, at);
    const empty = end === fresh;
    if (!empty) spans.push({ from: start, to: end, key, part: spans.length + 1 });
    fresh = resumed(text, at);
    const again = empty || overlap === 0 ? fresh : overlapFrom(text, start, end, Math.min(overlap, ceiling >> 1));
    start = fresh - again > ceiling >> 1 ? fresh : again;
  }
  spans.push({ from: start, to, key, part: spans.length + 1 });
  return spans;
}

function breakBefore(breaks: readonly Break[], passed: number, fresh: number): number | undefined {
  let line: number | undefined;
  let fenced: number | undefined;
  for (let i = passed - 1; i >= 0; i--) {
    const { at, rank } = breaks[i] ?? { at: 0, rank: "line" };
    if (at <= fresh) break;
    if (rank === "paragraph") return at;
    if (rank === "line") line ??= at;
    else fenced ??= at;
  }
  return line ?? fenced;
}

/** After the last sentence if that fills half the room, else after the last white space, else where no character is cut. */
function withinLine(text: string, fresh: number, limit: number): number {
  const room = text.slice(fresh, limit);
  let sentence = 0;
  for (const { 0: mark, index } of room.matchAll(/[.!?…]["'”’)\]]*(?=\s)|[。！？]["'”’」』）]*/gu))
    sentence = index + mark.length;
  if (sentence > room.length / 2) return fresh + sentence;
  if (/\s/.test(text[limit] ?? "")) return limit;
  for (let i = room.length - 1; i > 0; i--) if (/\s/.test(room[i] ?? "")) return fresh + i;
  return graphemeBefore(text, limit, fresh);
}

/** Where the text goes on after a cut: past white space, but with the indent of the line it goes on in. */
function resumed(text: string, at: number): number {
  let next = at;
  let line = text[at - 1] === "\n" ? at : -1;
  for (; /\s/.test(text[next] ?? ""); next++) if (text[next] === "\n") line = next + 1;
  return line < 0 ? next : line;
}

function trimmed(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && /\s/.test(text[end - 1] ?? "")) end--;
  return end;
}

function overlapFrom(text: string, from: number, end: number, overlap: number): number {
  const start = Math.max(from, end - overlap);
  if (start === from || /\s/.test(text[start - 1] ?? "")) return start;
  let word = start;
  while (word < end && !/\s/.test(text[word] ?? "")) word++;
  while (word < end && /\s/.test(text[word] ?? "")) word++;
  return word < end ? word : graphemeBefore(text, start, from);
}
