import { randomBytes } from "node:crypto";

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

/** Signs that a reader may take for an angle bracket. */
const opener = "[<＜‹〈⟨﹤]|&lt;?|&#0*60;?|&#x0*3c;?|\\\\u003c";
const closer = "[>＞›〉⟩﹥]|&gt;?|&#0*62;?|&#x0*3e;?|\\\\u003e";
const tagLike = new RegExp(`(?:${opener})(?<inside>(?:(?!${opener}|${closer})[\\s\\S]){0,200})(?:${closer})?`, "giu");
const chatToken = /<\|[^|\n]{0,40}\|>|<\/?s>|<<\/?SYS>>|\[\/?INST\]/gi;

/** Names of tags that agents' programs put around text of their own. */
const programs =
  "gestalt[\\s_-]*notes[\\w-]*|notes[\\s_-]*context|system[\\s_-]+(?:reminder|prompt|message|instructions?)|[\\w-]+[_-]hook|" +
  "additional[\\s_-]*context|antml:\\w+|function[\\s_-]*(?:calls?|results?)|tool[\\s_-]*(?:use|calls?|results?|response)\\w*|" +
  "(?:local-)?command-[\\w-]+";
/** Names of such tags that are words as well, and so are tags only when the bracket touches them. */
const words =
  "system|invoke|parameter|assistant|human|user|developer|instructions?|important|thinking|context|documents?";
const reserved = new RegExp(`^(?:[\\s/!?]*(?:${programs})|[/!?]*(?:${words}))(?![\\p{L}\\p{N}_-])`, "iu");

/**
 * A text without anything that looks like the fence, like the tags of agents' programs, or like the control words of chat
 * templates. Holds for every input: doing it twice changes nothing more, so no tag can be put together from parts.
 */
export function withoutLookalikes(text: string): string {
  for (let before = text; ; before = text) {
    text = before
      .replace(chatToken, "")
      .replace(tagLike, (found, inside: string) => (reserved.test(inside.normalize("NFKC")) ? "" : found));
    if (text === before) return text;
  }
}
