import { readFileSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";

/**
 * The text of a file, or of standard input when the name is `-` or missing.
 *
 * @throws GestaltError "usage" when nobody would write it, and when it is not UTF-8 text
 */
export async function givenText(from: string | undefined): Promise<string> {
  if ((from === undefined || from === "-") && process.stdin.isTTY)
    throw new GestaltError("usage", "the text comes from standard input", "--from FILE, or: gestalt add TITLE < FILE");
  let bytes: Uint8Array;
  try {
    bytes = from === undefined || from === "-" ? await Bun.stdin.bytes() : readFileSync(from);
  } catch (error) {
    throw new GestaltError("usage", `${from} cannot be read: ${messageOf(error)}`, "--from FILE");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new GestaltError("usage", "the text is not UTF-8", "iconv -t UTF-8");
  }
}

/** `--tags a,b --tags c` as a list. */
export const tagsIn = (given: readonly string[]): readonly string[] =>
  given.flatMap((tags) => tags.split(",").map((tag) => tag.trim().replace(/^#/, ""))).filter(Boolean);
