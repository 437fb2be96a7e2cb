import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { GestaltError } from "../../errors.ts";
import { blockEditor, type Span } from "./block-editor.ts";
import { malformed } from "./json-text.ts";
import type { Editor } from "./record.ts";

/**
 * An editor of TOML that adds one table at the end of the file, where it can change the meaning of nothing above.
 *
 * @param key the table's name, key by key
 * @param body its lines, with a line break at the end
 * @param ours whether a table of that name is ours
 */
export const tomlEditor = (key: readonly string[], body: string, ours: (value: unknown) => boolean): Editor =>
  blockEditor({
    block: `[${key.join(".")}]\n${body}`,
    find: (text) => findTable(text, key, ours),
    check: (text) => refuseOther(text, key),
  });

/** @throws GestaltError "usage", with the line, when the text is not TOML */
function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw malformed(`line ${error.lineNumber} is not TOML: ${error.message}`);
    throw error;
  }
}

const valueAt = (program: AST.TOMLProgram, key: readonly string[]): unknown =>
  key.reduce<unknown>((value, name) => memberOf(value, name), getStaticTOMLValue(program));

function refuseOther(text: string, key: readonly string[]): void {
  if (valueAt(parsed(text), key) === undefined) return;
  throw new GestaltError(
    "usage",
    `"${key.join(".")}" is there already and runs something else`,
    "remove or rename that table, then run this again",
  );
}

function findTable(text: string, key: readonly string[], ours: (value: unknown) => boolean): Span | undefined {
  const program = parsed(text);
  if (!ours(valueAt(program, key))) return undefined;
  const [top] = program.body;
  const tables = top.body.filter(
    (node): node is AST.TOMLTable => node.type === "TOMLTable" && key.every((name, i) => node.resolvedKey[i] === name),
  );
  const [first] = tables;
  const last = tables.at(-1);
  // Written as dotted keys or an inline table: somebody else's hand.
  if (first === undefined || last === undefined)
    throw new GestaltError(
      "usage",
      `"${key.join(".")}" is not written as a table`,
      "remove it by hand, then run this again",
    );
  const between = top.body.slice(top.body.indexOf(first), top.body.indexOf(last) + 1);
  if (between.length > tables.length)
    throw new GestaltError("usage", `the parts of "${key.join(".")}" stand in several places`, "remove them by hand");
  const lineEnd = text.indexOf("\n", last.range[1]);
  return { start: first.range[0], end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
