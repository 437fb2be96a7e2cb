import { type Fields, isFields } from "./json.ts";
import { badLine, type Line, readLines } from "./lines.ts";

/**
 * An entry of a BEIR file. `group` is its `metadata.sample`: search stays within it. `title` and `text` are as written.
 */
export type BeirEntry = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly group: string | undefined;
};

/**
 * The entries of `corpus.jsonl` or `queries.jsonl`, each with its line.
 *
 * Tolerated: a missing title or text, which reads as "" (Cranfield has documents without a body); lines of white space;
 * other keys.
 *
 * @throws GestaltError("bad-dataset") with file and line for broken JSON, an `_id` that is not a text, is empty or
 *   cannot be written in UTF-8, a title or text that is neither a text nor null
 */
export function* readEntries(file: string): Generator<{ readonly line: Line; readonly entry: BeirEntry }> {
  for (const line of readLines(file)) yield { line, entry: toEntry(line.text, file, line.number) };
}

/** One line of such a file. @throws as `readEntries` */
export function toEntry(json: string, file: string, number: number): BeirEntry {
  const fields = parse(json);
  if (fields === undefined) throw badLine(file, number, "not a JSON object");
  const id = fields["_id"];
  if (typeof id !== "string" || id.trim() === "") throw badLine(file, number, `"_id" is not a text, or is empty`);
  if (!id.isWellFormed()) throw badLine(file, number, `"_id" holds half a character`);
  const { metadata } = fields;
  const sample = isFields(metadata) ? metadata["sample"] : undefined;
  return {
    id,
    title: textField(fields, "title", file, number),
    text: textField(fields, "text", file, number),
    group: typeof sample === "string" ? sample : undefined,
  };
}

function textField(fields: Fields, key: string, file: string, number: number): string {
  const value = fields[key] ?? "";
  if (typeof value !== "string") throw badLine(file, number, `"${key}" is not a text`);
  return value;
}

function parse(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
