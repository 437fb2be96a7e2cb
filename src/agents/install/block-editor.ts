import type { Addition, Editor } from "./record.ts";
import { noAddition } from "./record.ts";

/** Where a block of ours stands in a text; `end` is after its last line break. */
export type Span = { readonly start: number; readonly end: number };

/** A format in which a block of lines can be appended without changing what stands before it. */
export type BlockFormat = {
  /** The block, with a line break at its end. */
  readonly block: string;
  /** Where a block of ours stands, whatever version wrote it. Throws GestaltError "usage" when the text is not well formed. */
  readonly find: (text: string) => Span | undefined;
  /** Throws GestaltError "usage" when a text that our block is not in cannot take it. */
  readonly check?: (text: string) => void;
};

/** An editor that appends a block of lines, after an empty one. */
export const blockEditor = ({ block, find, check }: BlockFormat): Editor => ({
  has(text) {
    const span = find(text);
    return span !== undefined && normal(text.slice(span.start, span.end)) === normal(block);
  },
  add(text) {
    if (find(text) !== undefined) return { text, addition: noAddition };
    check?.(text);
    const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
    const lead = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
    const now = text + lead + block.replaceAll("\n", eol);
    find(now);
    return { text: now, addition: { ...noAddition, lead } };
  },
  remove(text, addition) {
    const span = find(text);
    if (span === undefined) return text;
    const before = text.slice(0, span.start);
    const rest = text.slice(span.end);
    const kept = before.slice(0, before.length - leadOf(before, addition).length);
    // What was written below a block must not end up on the line above it.
    const joint =
      rest !== "" && kept !== "" && !kept.endsWith("\n") ? before.slice(kept.length).match(/\r?\n/)?.[0] : "";
    return kept + (joint ?? "") + rest;
  },
});

const normal = (text: string): string => text.replaceAll("\r\n", "\n").trimEnd();

function leadOf(before: string, addition: Addition | undefined): string {
  if (addition !== undefined) return before.endsWith(addition.lead) ? addition.lead : "";
  return /(?<=\n)\r?\n$/.exec(before)?.[0] ?? "";
}
