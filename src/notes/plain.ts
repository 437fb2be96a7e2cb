import { parser, Strikethrough } from "@lezer/markdown";
import { graphemeBefore } from "./graphemes.ts";

/** Characters. A heading is repeated in every passage below it; the whole of a longer one stays in the text. */
export const longestHeading = 300;

/** A heading's words without markup. `anchor` is its block id, `""` without one; `cut` tells that words are missing. */
export type HeadingText = { readonly text: string; readonly anchor: string; readonly cut: boolean };

/** `**Bold** [link](x.md) ^id` reads `Bold link`, with anchor `id`. */
export function headingText(raw: string): HeadingText {
  const cut = raw.length > longestHeading;
  const line = cut ? raw.slice(0, graphemeBefore(raw, longestHeading)) : raw;
  const id = cut ? null : /(?:^|\s)\^([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u.exec(line);
  return { text: withoutMarkup(id === null ? line : line.slice(0, id.index)), anchor: id?.[1] ?? "", cut };
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
  const keepTo = (to: number, instead: string, from: number) => {
    plain += source.slice(at, from) + instead;
    at = Math.max(at, to);
  };
  parser_iterate(source, keepTo);
  return (plain + source.slice(at)).replace(/\s+/g, " ").trim();
}

function parser_iterate(source: string, drop: (to: number, instead: string, from: number) => void): void {
  inline.parse(source).iterate({
    enter({ name, from, to, node }) {
      if (from < 2 && name === "HeaderMark") return;
      const hidden = dropped.has(name) || (name === "URL" && node.parent?.name !== "Autolink" && node.parent?.name !== "ATXHeading1");
      if (hidden) drop(to, "", from);
      else if (name === "Escape") drop(to, source.slice(from + 1, to), from);
      else if (name === "Entity") drop(to, entities.get(source.slice(from, to)) ?? source.slice(from, to), from);
    },
  });
}
