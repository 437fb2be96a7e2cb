import { blockEditor, type Span } from "./block-editor.ts";
import { malformed } from "./json-text.ts";
import type { Editor } from "./record.ts";

const begin = "<!-- gestalt: added by `gestalt install`, taken out by `gestalt uninstall` -->";
const end = "<!-- /gestalt -->";

/** An editor of Markdown instructions that adds a marked block at the end. `body` ends with a line break. */
export const markdownEditor = (body: string): Editor =>
  blockEditor({ block: `${begin}\n${body}${end}\n`, find: findBlock });

function findBlock(text: string): Span | undefined {
  const start = text.indexOf("<!-- gestalt:");
  if (start < 0) return undefined;
  const close = text.indexOf(end, start);
  if (close < 0) throw malformed(`the block that begins with "<!-- gestalt:" has no ${end}`);
  const line = /\r?\n/y;
  line.lastIndex = close + end.length;
  return { start, end: close + end.length + (line.exec(text)?.[0].length ?? 0) };
}
