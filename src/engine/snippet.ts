import type { Mark } from "../store/marks.ts";

/** Longest snippet, in characters. */
export const snippetLength = 300;

/** A text on one line, without control characters: what may be shown on a terminal. */
export const flat = (text: string): string =>
  text
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replace(/[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, "")
    .trim();

export type Snippet = {
  readonly text: string;
  /** Where terms stand in `text`, in order, not overlapping. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
};

/**
 * The window of a flat text with the most query weight: each distinct term counts its idf once, a repeat a tenth of it.
 * Cut at words (or characters where there are no spaces), with an ellipsis where something is left out.
 *
 * @param idf one weight per term of the query
 */
export function snippet(text: string, found: readonly Mark[], idf: readonly number[], length = snippetLength): Snippet {
  if (text.length <= length) return { text, marks: merged(found, 0, text.length) };
  const [first, last] = bestWindow(found, idf, length);
  const middle = first === undefined || last === undefined ? length / 2 : (first.start + last.end) / 2;
  const start = wordStart(text, Math.max(0, Math.min(Math.round(middle - length / 2), text.length - length)));
  const end = wordEnd(text, Math.min(text.length, start + length));
  const lead = start > 0 ? "…" : "";
  const body = text.slice(start, end);
  return {
    text: lead + body + (end < text.length ? "…" : ""),
    marks: merged(found, start, end).map((mark) => ({ start: mark.start + lead.length, end: mark.end + lead.length })),
  };
}

/** The first and last mark of the heaviest run of marks that fits in `length`; the earliest of equals. */
function bestWindow(found: readonly Mark[], idf: readonly number[], length: number): [Mark?, Mark?] {
  let best: [Mark?, Mark?] = [];
  let most = 0;
  // A long note can hold thousands of marks; the windows slide, so each mark enters and leaves once.
  const counts = new Map<number, number>();
  let weight = 0;
  let from = 0;
  for (const mark of found) {
    weight += gain(counts, mark.term, idf, 1);
    for (let first = found[from]; first !== undefined && mark.end - first.start > length; first = found[++from])
      weight -= gain(counts, first.term, idf, -1);
    if (weight > most + 1e-9) [most, best] = [weight, [found[from] ?? mark, mark]];
  }
  return best;
}

/** What a term's coming (+1) or going (−1) changes in a window's weight. */
function gain(counts: Map<number, number>, term: number, idf: readonly number[], step: 1 | -1): number {
  const before = counts.get(term) ?? 0;
  counts.set(term, before + step);
  const value = (count: number) => (count === 0 ? 0 : 1 + (count - 1) / 10);
  return Math.abs(value(before + step) - value(before)) * (idf[term] ?? 0);
}

/** Marks within [start, end), moved to it, those that touch made one. */
function merged(found: readonly Mark[], start: number, end: number): { start: number; end: number }[] {
  const shown: { start: number; end: number }[] = [];
  for (const mark of found) {
    if (mark.start < start || mark.end > end) continue;
    const last = shown.at(-1);
    if (last !== undefined && mark.start - start <= last.end) last.end = Math.max(last.end, mark.end - start);
    else shown.push({ start: mark.start - start, end: mark.end - start });
  }
  return shown;
}

/** How far a cut may move to find a space. */
const slack = 30;

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.lastIndexOf(" ", at);
  return space >= at - slack ? space + 1 : whole(text, at);
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space >= at - slack ? space : whole(text, at);
}

/** Never between the halves of a surrogate pair. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);
