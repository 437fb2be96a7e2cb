import type { Passage, Section } from "../types.ts";
import type { Anchor } from "./inline.ts";
import { type Body, type Heading, lineAt, type Outline } from "./markdown.ts";
import { type Fences, type Keys, type Span, spansOf } from "./passages.ts";
import { type HeadingText, headingText } from "./plain.ts";
import type { Cutting } from "./source.ts";

/** A heading with its words. */
export type Titled = Heading & { readonly words: HeadingText };

type Slice = {
  readonly level: number;
  readonly headings: readonly string[];
  /** Its lines, 0-based in the body, and the first one of its passages. */
  readonly first: number;
  readonly last: number;
  readonly content: number;
  readonly words: HeadingText | undefined;
  /** The next heading is one level deeper or more. */
  readonly parent: boolean;
};

export const titled = ({ headings }: Outline): Titled[] =>
  headings.map((heading) => ({ ...heading, words: headingText(heading.raw) }));

/**
 * Cuts a body at its headings. The sections lie end to end from the first line that is not blank to the last line of the file; a
 * section without heading comes first when text stands there.
 *
 * @param above lines of the file above the body
 */
export function sectionsOf(
  body: Body,
  above: number,
  headings: readonly Titled[],
  fences: Fences,
  anchors: readonly Anchor[],
  cutting: Cutting,
): Section[] {
  const name = namer();
  const pick = { fences: picker(fences, ([first]) => first), anchors: picker(anchors, ({ at }) => lineAt(body, at)) };
  return slices(body, headings).map((slice) => {
    const { level, headings: trail, first, last } = slice;
    const own = pick.anchors(last);
    const alone = own.findLast((anchor) => anchor.alone)?.id;
    const block = name(alone ?? (slice.words?.anchor || slug(slice.words?.text)));
    const passages = passagesOf(body, above, slice, block, { fences: pick.fences(last), anchors: own, cutting, name });
    return { level, headings: trail, block, start: above + first + 1, end: above + last + 1, passages };
  });
}

/** Gives each block a name of its own: the second `a` is `a-2`. */
function namer(): (wanted: string) => string {
  const uses = new Map<string, number>();
  return (wanted) => {
    for (let use = (uses.get(wanted) ?? 0) + 1; ; use++) {
      const name = use === 1 ? wanted : `${wanted}-${use}`;
      uses.set(wanted, use);
      if (use > 1 && uses.has(name)) continue;
      if (use > 1) uses.set(name, 1);
      return name;
    }
  };
}

/** Hands out items in order: each call gives those up to a line that no earlier call gave. */
function picker<Item>(items: readonly Item[], lineOf: (item: Item) => number): (last: number) => Item[] {
  let taken = 0;
  return (last) => {
    const from = taken;
    for (let item = items[taken]; item !== undefined && lineOf(item) <= last; item = items[taken]) taken++;
    return items.slice(from, taken);
  };
}

function slices(body: Body, headings: readonly Titled[]): Slice[] {
  const found: Slice[] = [];
  const end = body.lines.length - 1;
  const top = body.lines.findIndex((line) => line.trim() !== "");
  const before = (headings[0]?.first ?? body.lines.length) - 1;
  if (top >= 0 && top <= before)
    found.push({ level: 0, headings: [], first: top, last: before, content: top, words: undefined, parent: false });
  const trail: Titled[] = [];
  for (const [i, heading] of headings.entries()) {
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop();
    trail.push(heading);
    const { level, first, words } = heading;
    const next = headings[i + 1];
    found.push({
      level,
      headings: trail.map((outer) => outer.words.text),
      first,
      last: next === undefined ? end : next.first - 1,
      content: words.cut ? first : heading.last + 1,
      words,
      parent: next !== undefined && next.level > level,
    });
  }
  return found;
}

/** The reference's address of a heading: lower case, white space and `/` as `-`. */
const slug = (heading: string | undefined): string =>
  heading === undefined ? "overview" : heading.toLowerCase().replace(/[\s/]/g, "-") || "section";

type Parts = {
  readonly fences: Fences;
  readonly anchors: readonly Anchor[];
  readonly cutting: Cutting;
  readonly name: (wanted: string) => string;
};

function passagesOf(
  body: Body,
  above: number,
  slice: Slice,
  block: string,
  { fences, anchors, cutting, name }: Parts,
): Passage[] {
  const own = slice.words?.anchor ? [slice.words.anchor] : [];
  const inside = anchors.filter(({ alone }) => !alone);
  const keys = inside.length === 0 ? noKeys : new Map(inside.map(({ at, id }) => [lineAt(body, at), id]));
  const spans = spansOf(body, slice.content, slice.last, fences, keys, cutting);
  if (spans.length === 0) {
    const end = Math.max(slice.first, slice.content - 1);
    const empty = { block, text: "", start: above + slice.first + 1, end: above + end + 1, anchors: own };
    return slice.parent ? [] : [empty];
  }
  const label = partNamer(block, name);
  let passed = 0;
  return spans.map((span, i) => {
    const ids = i === 0 ? [...own] : [];
    for (let anchor = anchors[passed]; anchor !== undefined && anchor.at < span.to; anchor = anchors[++passed])
      if (!ids.includes(anchor.id)) ids.push(anchor.id);
    return {
      block: label(span),
      text: body.text.slice(span.from, span.to),
      start: above + lineAt(body, span.from) + 1,
      end: above + lineAt(body, Math.max(span.from, span.to - 1)) + 1,
      anchors: ids,
    };
  });
}

const noKeys: Keys = new Map();

/** The first part without key has the section's block, which is taken already; later ones add `-p2`, `-p3`, as do the parts of a key. */
function partNamer(block: string, name: (wanted: string) => string): (span: Span) => string {
  let plain = 0;
  return ({ key, part }) => {
    if (key !== undefined) return name(part === 1 ? key : `${key}-p${part}`);
    plain++;
    return plain === 1 ? block : name(`${block}-p${plain}`);
  };
}
