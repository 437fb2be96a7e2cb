/** Where a text stops: inside a comment of this kind, inside a fence of this sign (behind a `>` in a quotation), or in plain text. */
export type Hiding = { readonly comment: "" | "<!--" | "%%"; readonly fence: string };

export const plainly: Hiding = { comment: "", fence: "" };

const fenceLine = /^ {0,3}(?:> ?)*(`{3,}|~{3,})/;
/** A definition that leads nowhere: `[//]: # (…)`, the comment of those who have no other. */
const definition = /^ {0,3}\[[^\]\n]{1,80}\]:[ \t]*(?:#|<>)(?=\s|$)/;
const isQuoted = /^ {0,3}>/;
const span = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/y;

/**
 * A text as its author sees it in a reading view: without HTML comments, Obsidian's `%%` comments and definitions that lead nowhere, the unclosed ones to
 * the end included. Comments inside code are no comments.
 *
 * @param from how the text before this one ended
 * @returns what can be seen, and how this text ends
 */
export function visible(text: string, from: Hiding = plainly): { readonly shown: string; readonly end: Hiding } {
  let { comment, fence } = from;
  let shown = "";
  for (const line of text.split(/(?<=\n)/)) {
    const sign = comment === "" ? fenceLine.exec(line)?.[1] : undefined;
    // A quotation takes the fences in it to its end.
    if (fence.startsWith(">") && !isQuoted.test(line)) fence = "";
    if (comment === "" && fence !== "") {
      shown += line;
      if (sign?.startsWith(fence.replace(">", "")) && line.trim().replace(/^[> ]*/, "") === sign) fence = "";
      continue;
    }
    // A backtick fence's info string holds no backtick: then it is a span of code.
    if (sign !== undefined && !(sign.startsWith("`") && line.slice(line.indexOf(sign) + sign.length).includes("`"))) {
      fence = isQuoted.test(line) ? `>${sign}` : sign;
      shown += line;
      continue;
    }
    if (comment === "" && definition.test(line)) continue;
    const seen = visibleLine(line, comment);
    shown += seen.shown;
    comment = seen.comment;
  }
  return { shown, end: { comment, fence } };
}

function visibleLine(line: string, from: Hiding["comment"]): { shown: string; comment: Hiding["comment"] } {
  let comment = from;
  let shown = "";
  for (let at = 0; at < line.length; ) {
    if (comment !== "") {
      const closer = comment === "%%" ? "%%" : "-->";
      const end = line.indexOf(closer, at);
      if (end < 0) return { shown, comment };
      at = end + closer.length;
      comment = "";
      continue;
    }
    const next = line.slice(at).search(/\\[\\`<]|`|<!--|%%/);
    if (next < 0) return { shown: shown + line.slice(at), comment };
    shown += line.slice(at, at + next);
    at += next;
    if (line[at] === "\\") {
      // What is escaped begins nothing.
      shown += line.slice(at, at + 2);
      at += 2;
    } else if (line[at] === "`") {
      span.lastIndex = at;
      const code = span.exec(line)?.[0] ?? /^`+/.exec(line.slice(at))?.[0] ?? "`";
      shown += code;
      at += code.length;
    } else {
      comment = line[at] === "%" ? "%%" : "<!--";
      at += comment.length;
    }
  }
  return { shown, comment };
}
