import { CryptoHasher } from "bun";

/** Characters of a note's opening that stand for it. */
const opening = 600;

/** What a passage says of itself to a model: where it stands, then its text. */
export const embeddedText = (title: string, headings: readonly string[], text: string): string =>
  `${[title, ...headings].filter(Boolean).join(" > ")}\n\n${text}`.trim();

/** What a note as a whole says of itself to a model: title, opening, headings. */
export const noteText = (title: string, first: string, headings: readonly string[]): string =>
  `${title}\n\n${first.slice(0, opening)}\n\n${[...new Set(headings)].join("\n")}`.trim();

/** What finds a text's vector: half a SHA-256. */
export const keyOf = (text: string): Uint8Array => new CryptoHasher("sha256").update(text).digest().subarray(0, 16);
