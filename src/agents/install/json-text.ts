import { applyEdits, type Edit, findNodeAtLocation, type Node, type ParseError, parseTree, visit } from "jsonc-parser";
import { GestaltError } from "../../errors.ts";

/** A JSON text with comments and trailing commas, taken apart without losing a byte. */
export type Layout = {
  readonly text: string;
  /** The top-level object; undefined in an empty text. */
  readonly root: Node | undefined;
  readonly commas: readonly number[];
  /** Where each comment ends. */
  readonly comments: readonly { readonly start: number; readonly end: number }[];
};

const options = { allowTrailingComma: true, allowEmptyContent: true, disallowComments: false };

/** @throws GestaltError "usage", with the line, when the text is not a JSON object */
export function layoutOf(text: string): Layout {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, options);
  const [error] = errors;
  if (error !== undefined) throw malformed(`line ${text.slice(0, error.offset).split("\n").length} is not JSON`);
  if (root !== undefined && root.type !== "object") throw malformed("it holds no JSON object");
  const commas: number[] = [];
  const comments: { start: number; end: number }[] = [];
  visit(
    text,
    {
      onSeparator: (character, offset) => {
        if (character === ",") commas.push(offset);
      },
      onComment: (offset, length) => comments.push({ start: offset, end: offset + length }),
    },
    options,
  );
  return { text, root, commas, comments };
}

export const malformed = (why: string): GestaltError =>
  new GestaltError("usage", why, "mend the file, then run this again");

/**
 * The node at a path of keys; undefined when there is none.
 *
 * @throws GestaltError "usage" when a key on the way stands there twice: which one counts differs between readers
 */
export function nodeAt({ root }: Layout, path: readonly string[]): Node | undefined {
  let node = root;
  for (const key of path) {
    if (node?.type !== "object") return undefined;
    const found: readonly Node[] = (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
    if (found.length > 1) throw malformed(`"${key}" stands there twice`);
    node = found[0]?.children?.[1];
  }
  return node;
}

const endOf = ({ offset, length }: Node): number => offset + length;
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";

/** How the text is written: its line break, one step of indentation, and whether it is all on one line. */
function mannerOf({ text, root }: Layout) {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const first = root?.children?.[0];
  const unit = first === undefined ? "" : indentAt(text, first.offset);
  const flat =
    root !== undefined && (root.children ?? []).length > 0 && !text.slice(root.offset, endOf(root)).includes("\n");
  return { eol, unit: unit === "" ? "  " : unit, flat };
}

/** A value as JSON, its later lines indented by `indent`; what is short and flat stays on one line. */
export function rendered(layout: Layout, value: unknown, indent: string): string {
  const { eol, unit, flat } = mannerOf(layout);
  return flat ? JSON.stringify(value) : pretty(value, unit, eol + indent);
}

const widest = 100;

function pretty(value: unknown, unit: string, line: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const inner = line + unit;
  const items = Object.entries(value).map(
    ([key, held]) => (Array.isArray(value) ? "" : `${JSON.stringify(key)}: `) + pretty(held, unit, inner),
  );
  const gap = Array.isArray(value) ? "" : " ";
  const short = `${open}${gap}${items.join(", ")}${gap}${close}`;
  if (items.length === 0) return open + close;
  return short.length <= widest && !short.includes("\n") && !isNested(value)
    ? short
    : `${open}${inner}${items.join(`,${inner}`)}${line}${close}`;
}

/** Whether an object stands in an object. A list of plain values does not count. */
const isNested = (value: object): boolean =>
  Object.values(value).some(
    (held: unknown) =>
      typeof held === "object" &&
      held !== null &&
      (!Array.isArray(held) || held.some((item) => typeof item === "object")),
  );

/**
 * Puts a child at the end of an object or array: after its last child and what comments follow that. A comma is added
 * where one is needed, or used where it stands.
 *
 * @returns the text, and what stood between the brackets when they were empty
 */
export function insertChild(
  layout: Layout,
  container: Node,
  render: (indent: string) => string,
): { readonly text: string; readonly interior: string | undefined } {
  const { text, commas, comments } = layout;
  const { eol, unit, flat } = mannerOf(layout);
  const open = container.offset + 1;
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  if (last === undefined) {
    const interior = text.slice(open, close);
    const child = render(flat ? "" : outer + unit);
    const content = flat ? child : eol + outer + unit + child;
    if (interior.trim() === "") {
      const whole = flat ? content : content + eol + outer;
      return { text: text.slice(0, open) + whole + text.slice(close), interior };
    }
    const tail = open + interior.trimEnd().length;
    return { text: text.slice(0, tail) + content + text.slice(tail), interior: undefined };
  }
  const end = endOf(last);
  const comma = commas.find((at) => at >= end && at < close);
  const tail = Math.max(
    end,
    (comma ?? -1) + 1,
    ...comments.filter(({ start }) => start >= end && start < close).map(({ end }) => end),
  );
  const spread =
    text.slice(open, container.children?.[0]?.offset).includes("\n") || text.slice(end, close).includes("\n");
  const indent = spread ? indentAt(text, last.offset) : outer;
  const child = (spread ? eol + indent : " ") + render(indent);
  const edits: Edit[] = [{ offset: tail, length: 0, content: comma === undefined ? child : `${child},` }];
  if (comma === undefined && tail > end) edits.unshift({ offset: end, length: 0, content: "," });
  else if (comma === undefined) edits[0] = { offset: end, length: 0, content: `,${child}` };
  return { text: applyEdits(text, edits), interior: undefined };
}

/** Takes a child out of its object or array, with the space before it and one comma: the inverse of `insertChild`. */
export function removeChild({ text, commas, comments }: Layout, container: Node, child: Node): string {
  const siblings = container.children ?? [];
  const place = siblings.indexOf(child);
  const end = endOf(child);
  const before = siblings[place - 1];
  const limit = siblings[place + 1]?.offset ?? endOf(container) - 1;
  const floor = Math.max(
    container.offset + 1,
    before === undefined ? 0 : endOf(before),
    ...commas.filter((at) => at < child.offset).map((at) => at + 1),
    ...comments.filter((comment) => comment.end <= child.offset).map((comment) => comment.end),
  );
  const after = commas.find((at) => at >= end && at < limit);
  const between = before === undefined ? undefined : commas.find((at) => at >= endOf(before) && at < child.offset);
  const comma = after ?? between;
  const rest =
    text.slice(end, comma !== undefined && comma >= end ? comma : end) + text.slice(Math.max(end, (comma ?? -1) + 1));
  // After a line comment the line break stays when something else follows, or the comment would swallow it.
  const start =
    comments.some((comment) => comment.end === floor && text.startsWith("//", comment.start)) &&
    !/^[ \t]*(\r?\n|$)/.test(rest)
      ? child.offset
      : floor;
  const edits: Edit[] = [{ offset: start, length: end - start, content: "" }];
  if (comma !== undefined) edits.push({ offset: comma, length: 1, content: "" });
  return applyEdits(text, edits);
}

/** Puts back what stood in an empty container, unless something else stands there by now. */
export function restoreInterior(text: string, path: readonly string[], interior: string): string {
  const layout = layoutOf(text);
  const node = layout.root === undefined ? undefined : findNodeAtLocation(layout.root, [...path]);
  if (node === undefined || (node.children ?? []).length > 0) return text;
  const [open, close] = [node.offset + 1, endOf(node) - 1];
  return text.slice(open, close).trim() === "" ? text.slice(0, open) + interior + text.slice(close) : text;
}
