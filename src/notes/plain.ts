import { parser, Strikethrough } from "@lezer/markdown";
import { graphemeBefore } from "./graphemes.ts";

/** Characters. A heading is repeated in every passage below it; the whole of a longer one stays in the text. */
export const longestHeading = 300;

/** A heading's words without markup. `anchor` is its block id, `""` without one; `cut` tells that words are missing. */
export type HeadingText = { readonly text: string; readonly anchor: string; readonly cut: boolean };

/** The id at the end of a heading: Obsidian's `^id`, `{#id}` (Pandoc, VitePress), a comment in braces (MDX). */
const headingId =
  /(?:^|\s)(?:\^([\p{L}\p{N}][\p{L}\p{N}_-]*)|\{#([\p{L}\p{N}][\p{L}\p{N}_.:-]*)\}|\{\/\*([\p{L}\p{N}][\p{L}\p{N}_.:-]*)\*\/\})$/u;

/** `**Bold** [link](x.md) ^id` reads `Bold link`, with anchor `id`. */
export function headingText(raw: string): HeadingText {
  const cut = raw.length > longestHeading;
  const line = cut ? raw.slice(0, graphemeBefore(raw, longestHeading)) : raw;
  const id = cut ? null : headingId.exec(line);
  const anchor = id?.[1] ?? id?.[2] ?? id?.[3] ?? "";
  return { text: withoutMarkup(id === null ? line : line.slice(0, id.index)), anchor, cut };
}

const inline = parser.configure([Strikethrough]);

const dropped: ReadonlySet<string> = new Set([
  "HeaderMark",
  "EmphasisMark",
  "CodeMark",
  "LinkMark",
  "LinkTitle",
  "LinkLabel",
  "StrikethroughMark",
  "HTMLTag",
  "Comment",
  "ProcessingInstruction",
]);

const entities: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&nbsp;", " "],
]);

/** Links become their text, code its characters; marks of emphasis, HTML tags and comments go. */
function withoutMarkup(raw: string): string {
  const text = raw.replace(/!?\[\[([^[\]]*)\]\]/g, (_, inside: string) => inside.slice(inside.indexOf("|") + 1));
  if (!/[\\`*_[\]<&~]/.test(text)) return text.trim();
  const source = `# ${text}`;
  let plain = "";
  let at = 2;
  inline.parse(source).iterate({
    enter({ name, from, to, node }) {
      if (name === "Link" && node.getChild("URL") === null && node.getChild("LinkLabel") === null) return false;
      const instead = replacement(name, source.slice(from, to), node.parent?.name ?? "");
      if (instead === undefined || from < at) return true;
      plain += source.slice(at, from) + instead;
      at = to;
      return false;
    },
  });
  return (plain + source.slice(at)).replace(/\s+/g, " ").trim();
}

/** What stands for a piece of markup in plain text; undefined where the piece itself does. */
function replacement(name: string, source: string, parent: string): string | undefined {
  if (dropped.has(name)) return "";
  if (name === "URL") return parent === "Autolink" ? undefined : "";
  if (name === "Escape") return source.slice(1);
  return name === "Entity" ? (entities.get(source) ?? source) : undefined;
}
