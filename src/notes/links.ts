import type { Link } from "../types.ts";
import { graphemeBefore } from "./graphemes.ts";

/** Characters. A longer address is no path of a note; the bound keeps the search for its end short. */
const longestTarget = 1_000;
/** Characters kept of a link's text. */
const longestText = 300;

/** `note#Heading|alias`, the inside of a wikilink. In a table the bar is written `\|`. The text is the alias, else all that is shown. */
export function wikiLink(inside: string, line: number): Link {
  const bar = inside.indexOf("|");
  const address = (bar < 0 ? inside : inside.slice(0, bar).replace(/\\$/, "")).trim();
  const { target, anchor } = parted(address);
  return { kind: "wiki", target, anchor, text: shown(bar < 0 ? address : inside.slice(bar + 1)), line };
}

/** A Markdown link to another note or to a place in this one; undefined for an address with a scheme or a host. */
export function markdownLink(address: string, text: string, line: number): Link | undefined {
  if (address === "" || /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(address)) return undefined;
  const { target, anchor } = parted(address);
  return { kind: "markdown", target: decoded(target), anchor: decoded(anchor), text: shown(text), line };
}

/**
 * Reads a link's destination at `from`, by CommonMark's rules but on one line: `<a b.md>`, or characters without white
 * space in which brackets balance. With `closed`, a title may follow and `)` must.
 *
 * @returns the address without its brackets and escapes, and the offset after the link; undefined when it is none
 */
export function destination(
  text: string,
  from: number,
  closed: boolean,
): { target: string; after: number } | undefined {
  const piece = text.slice(from, from + longestTarget);
  const found = /^[ \t]*\n?[ \t>]*(?:<([^<>\n]*)>|([^\s<]\S*)?)/.exec(piece);
  if (found === null) return undefined;
  const angled = found[1];
  const bare = found[2] ?? "";
  const size = angled === undefined ? balanced(bare) : 0;
  const target = (angled ?? bare.slice(0, size)).replace(/\\([!-/:-@[-`{-~])/g, "$1");
  const end = found[0].length - (angled === undefined ? bare.length - size : 0);
  if (!closed) return target === "" ? undefined : { target, after: from + end };
  const close = /^\s*(?:"[^"]*"|'[^']*'|\([^()]*\))?\s*\)/.exec(piece.slice(end));
  return close === null ? undefined : { target, after: from + end + close[0].length };
}

/** How much of an address stands before the bracket that closes what is around it. */
function balanced(address: string): number {
  let depth = 0;
  for (let i = 0; i < address.length; i++) {
    const char = address[i];
    if (char === "\\") i++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth < 0) return i;
  }
  return address.length;
}

const shown = (text: string): string => text.slice(0, graphemeBefore(text, longestText)).replace(/\s+/g, " ").trim();

function parted(address: string): { target: string; anchor: string } {
  const hash = address.indexOf("#");
  if (hash < 0) return { target: address, anchor: "" };
  return { target: address.slice(0, hash).trim(), anchor: address.slice(hash + 1).trim() };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
