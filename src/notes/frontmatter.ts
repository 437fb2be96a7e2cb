import { messageOf } from "../errors.ts";
import { type Field, plainFields } from "./frontmatter-fast.ts";
import { salvage } from "./salvage.ts";

/**
 * What stands above the body of a note. `lines` is how many lines of the file it takes, both fences counted, 0 when there
 * is none. A `problem` is told once; its `line` is 1-based in the file.
 */
export type FrontMatter = {
  readonly lines: number;
  readonly fields: readonly Field[];
  readonly problem: { readonly line: number; readonly message: string } | undefined;
};

/** Characters. YAML is slow on hostile input; longer front matter is read line by line. */
const longest = 32_000;
/** Levels of nesting that get keys of their own. */
const deepest = 16;

const none: FrontMatter = { lines: 0, fields: [], problem: undefined };

/**
 * Reads the block between a first line `---` and the next line `---` or `...`. Values are text as written. Never throws:
 * broken YAML costs a problem, and its plain `key: value` lines are read all the same.
 *
 * It is no front matter, but body below a thematic break, when it is never closed, when it holds no keys, or when a blank
 * line follows the first `---` and the block is anything but plain.
 */
export function frontMatter(lines: readonly string[]): FrontMatter {
  if (lines.length === 0 || !/^---[ \t]*$/.test(lines[0] ?? "")) return none;
  const close = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (close < 0) return salvage(lines.slice(1, 2)).length > 0 ? { ...none, problem: neverClosed } : none;
  const block = lines.slice(1, close);
  const count = close + 1;
  const text = block.join("\n");
  if (text.length > longest)
    return { lines: count, fields: salvage(text.slice(0, longest).split("\n")), problem: tooLong };
  const plain = plainFields(block);
  if (plain !== undefined) return { lines: count, fields: filled(plain), problem: undefined };
  if (block[0]?.trim() === "") return none;
  const { fields, problem } = yamlFields(text);
  if (problem === undefined) return fields === undefined ? none : { lines: count, fields: filled(fields), problem };
  const rest = fields ?? salvage(block);
  return rest.length === 0 ? none : { lines: count, fields: filled(rest), problem };
}

const tooLong = {
  line: 1,
  message: `front matter is too long; only the first ${longest} characters are read, line by line`,
};
const neverClosed = { line: 1, message: "front matter is never closed; it is read as text" };

/** Null and the empty string say nothing. */
const filled = (fields: readonly Field[]): Field[] =>
  fields.filter(({ value }) => value !== "" && value !== "~" && value !== "null");

type Read = { readonly fields: Field[] | undefined; readonly problem: FrontMatter["problem"] };

/** By the `yaml` package. `fields` is undefined when the block is no mapping, or too broken to trust. */
export function yamlFields(text: string): Read {
  // Loaded late: 30 ms, and most vaults keep to plain front matter.
  const { parseDocument }: typeof import("yaml") = require("yaml");
  try {
    const document = parseDocument(text, { schema: "failsafe", prettyErrors: false, logLevel: "silent" });
    const error = document.errors[0];
    const problem = error && { line: 2 + newlines(text, error.pos[0]), message: `front matter: ${error.message}` };
    if (document.errors.some(({ code }) => code !== "DUPLICATE_KEY")) return { fields: undefined, problem };
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null) return { fields: [], problem };
    return { fields: typeof value === "object" && !Array.isArray(value) ? flatten(value) : undefined, problem };
  } catch (error) {
    return { fields: undefined, problem: { line: 2, message: `front matter: ${messageOf(error)}` } };
  }
}

function newlines(text: string, end: number): number {
  return text.slice(0, end).split("\n").length - 1;
}

/** `{ a: { b: x, c: [y, z] } }` gives `a.b` x, `a.c` y, `a.c` z. */
function flatten(value: unknown, key = "", listed = false, depth = 0): Field[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((item) => flatten(item, key, true, depth + 1));
  if (typeof value !== "object" || value === null) return [{ key, value: String(value ?? "").trim(), listed }];
  return Object.entries(value).flatMap(([name, inner]) =>
    flatten(inner, key === "" ? name : `${key}.${name}`, listed, depth + 1),
  );
}
