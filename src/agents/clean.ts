import { withoutLookalikes } from "./fence.ts";
import { maskSecrets } from "./secrets.ts";

/** What no reader sees and every model reads: zero-width, bidirectional and other ignorable signs, and controls. */
const invisible =
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Co}\u2800\ufffc]|(?![\n\t])\p{Cc}/gu;

/** An image that is part of its address: nobody reads it, and it takes the room of a passage. */
const inline = /!\[([^\]\n]{0,300})\]\(\s*<?data:[^)\n]*\)?/gi;
/** One from elsewhere: who copies it into an answer has it fetched, and tells its host whatever stands in the address. */
const remote = /!(?=\[[^\]\n]{0,300}\](?:\(\s*<?(?:[a-z][a-z0-9+.-]{0,20}:|\/\/)|\[))/gi;
const element = /<img\b(?=[^>]{0,1000}(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/)[^>]{0,1000}>?/gi;

/** A text whose images from elsewhere are links, which nobody follows unasked. */
const withoutImages = (text: string): string => text.replace(inline, "$1").replace(element, "").replace(remote, "");

/**
 * A text from the notes or from a transcript as it may be put before an agent: nothing invisible, nothing that looks like a
 * fence, nothing that is fetched where it is shown, no secrets. Lines and their order stay.
 */
export function clean(text: string): string {
  const seen = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(invisible, "");
  return maskSecrets(withoutLookalikes(withoutImages(seen)))
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** Times its limit that of a long line is looked at: a transcript may hold one of megabytes. */
const looked = 20;

/** The same for a title, a path or a heading, on one line of at most `limit` characters. */
export function cleanLine(text: string, limit = 160): string {
  // Cut between words: half a secret looks like none.
  const near = text.length <= looked * limit ? text : text.slice(0, looked * limit).replace(/(?<!\S)\S+$/, "");
  const line = clean(near).replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}
