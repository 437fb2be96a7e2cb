import { randomBytes } from "node:crypto";
import { folded } from "./folded.ts";

const name = "gestalt-notes";
const mark = "[0-9a-f]{16}";
const block = new RegExp(`<${name}-(${mark})>[\\s\\S]*?(?:</${name}-\\1>|$)`, "g");

/** What sets one injected block apart from all text there is: 64 random bits, as 16 hexadecimal digits. */
export const newMark = (): string => randomBytes(8).toString("hex");

/** Text between two tags that carry the mark. */
export const fence = (mark: string, text: string): string => `<${name}-${mark}>\n${text}\n</${name}-${mark}>`;

/**
 * A text without the blocks that were put into it before: what was injected must not be searched for again. A block that
 * is cut off before its end goes to the end of the text.
 */
export const withoutBlocks = (text: string): string => text.replace(block, "");

/** Signs that a reader may take for an angle bracket, and those of them that are quotation marks in some languages. */
const openers = "<＜‹〈⟨﹤˂ᐸ≺⋖❮❰⧼⟪《«︿";
const closers = ">＞›〉⟩﹥˃ᐳ≻⋗❯❱⧽⟫》»﹀";
const quotes = /^[《«]/;
const encoded = (hex: string, decimal: string, entities: string): string =>
  `&(?:amp;)*(?:${entities});?|&(?:amp;)*#0*${decimal};?|&(?:amp;)*#x0*${hex};?|%${hex}|\\\\(?:u00|x)${hex}|\\\\u\\{0*${hex}\\}`;
const opener = `[${openers}]|${encoded("3c", "60", "lt|lsaquo|lang|langle|laquo")}`;
const closer = `[${closers}]|${encoded("3e", "62", "gt|rsaquo|rang|rangle|raquo")}`;
const inTag = `(?!${opener}|${closer})`;
const tagLike = new RegExp(
  `(?<open>${opener})(?<filler>(?:${inTag}[^\\p{L}\\p{N}&])*)(?<inside>(?:${inTag}[\\s\\S]){0,200})(?:${closer})?`,
  "giu",
);
const chatToken =
  /[<＜][|｜][^|｜]{0,40}[|｜][>＞]|<\/?(?:s|bos|eos|unk|pad)>|<(?:start|end)_of_turn>|<<\s*\/?\s*SYS\s*>>|\[\/?\s*(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\s*\]/gi;

/** What may stand between the words of a name: nothing, a hyphen of any kind, marks of emphasis, a line break in a quotation. */
const gap = "[^\\p{L}\\p{N}]{0,6}";
/** Names of tags that agents' programs put around text of their own. */
const programs = [
  "gestalt notes[\\w-]*",
  "notes context",
  "system (?:reminder|prompt|message|instructions?|warning|notification|notice|note|context|alert)",
  "additional context",
  "function (?:calls?|results?|response)",
  "tool (?:use|calls?|results?|response|code|outputs?)\\w*",
  "(?:local )?command [\\w-]+",
  "bash (?:input|stdout|stderr)",
  "(?:task|teammate) (?:notification|message)",
  "user (?:query|info|instructions|rules|prompt|message)",
  "attached files",
  "environment (?:context|details)",
  "open and recently viewed files",
  "ide (?:selection|opened file|diagnostics)",
  "(?:persisted|new) (?:output|diagnostics)",
  "claude md",
  "ant (?:thinking|artifact)",
  "extremely important",
  "permissions instructions",
]
  .map((words) => words.replaceAll(" ", gap))
  .concat("[\\w-]+[_-]hook", "antml:\\w+")
  .join("|");
/** Names of such tags that are words as well, and so are tags only when the bracket touches them. */
const words =
  "system|invoke|parameter|assistant|human|user|developer|instructions?|important|critical|admin|think|thinking|context|documents?|env|stdout|stderr";
const isProgram = new RegExp(`^${gap}(?:${programs})(?![\\p{L}\\p{N}_-])`, "iu");
const isWord = new RegExp(`^(?:${words})(?![\\p{L}\\p{N}_-])`, "iu");
const touching = /^[/!?\\∕⁄／*_"'`]*$/;

/**
 * A text without anything that looks like the fence, like the tags of agents' programs, or like the control words of chat
 * templates. Holds for every input: doing it twice changes nothing more, so no tag can be put together from parts.
 */
export function withoutLookalikes(text: string): string {
  for (let before = text; ; before = text) {
    text = before
      .replace(chatToken, "")
      .replace(tagLike, (found, open: string, filler: string, inside: string) =>
        isReserved(folded(inside), open, filler) ? "" : found,
      );
    if (text === before) return text;
  }
}

const isReserved = (name: string, open: string, filler: string): boolean =>
  isProgram.test(name) || (touching.test(filler) && !quotes.test(open) && isWord.test(name));
