import { getNodeValue, type Node } from "jsonc-parser";
import { GestaltError } from "../../errors.ts";
import {
  insertChild,
  type Layout,
  layoutOf,
  malformed,
  nodeAt,
  removeChild,
  rendered,
  restoreInterior,
} from "./json-text.ts";
import { type Addition, type Editor, noAddition, samePath } from "./record.ts";

/** Something to put into a settings file: an item at the end of the array at `path`, or the member that `path` names. */
export type Entry =
  | { readonly kind: "item"; readonly path: readonly string[]; readonly value: unknown }
  | { readonly kind: "member"; readonly path: readonly string[]; readonly value: unknown }
  /** A member that the file's format asks for and that is not ours: added when it is missing, whatever its value. */
  | { readonly kind: "needed"; readonly path: readonly string[]; readonly value: unknown };

/** Which objects are ours, whoever wrote them and when: told by where they stand and what they hold. */
export type Ours = (path: readonly (string | number)[], value: () => unknown) => boolean;

const equal = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b, true);

/** An editor of JSON settings, comments and trailing commas included. */
export const jsonEditor = (entries: readonly Entry[], ours: Ours): Editor => ({
  has(text) {
    const layout = layoutOf(text);
    const wanted = entries.every((entry) => holds(layout, entry));
    const items = entries.filter(({ kind }) => kind !== "needed").length;
    return wanted && findOurs(layout.root, ours).length === items;
  },
  add(text) {
    let now = text;
    let addition: Addition = noAddition;
    for (const entry of entries) {
      const step = addEntry(now, entry);
      now = step.text;
      addition = {
        ...addition,
        created: [...addition.created, ...(step.created ?? [])],
        interiors: [...addition.interiors, ...(step.interiors ?? [])],
        made: addition.made || (step.made ?? false),
        lead: addition.lead + (step.lead ?? ""),
      };
    }
    return { text: now, addition };
  },
  remove: (text, addition) => removeOurs(text, ours, addition),
});

function holds(layout: Layout, { kind, path, value }: Entry): boolean {
  const node = nodeAt(layout, path);
  if (kind === "needed") return node !== undefined;
  if (kind === "member") return node !== undefined && equal(getNodeValue(node), value);
  return node?.type === "array" && (node.children ?? []).some((item) => equal(getNodeValue(item), value));
}

type Step = { readonly text: string } & Partial<Addition>;

function addEntry(text: string, entry: Entry): Step {
  const layout = layoutOf(text);
  if (holds(layout, entry)) return { text };
  if (layout.root === undefined) {
    const lead = text.length === 0 || text.endsWith("\n") ? "" : "\n";
    const step = addEntry(`${text}${lead}{}\n`, entry);
    return { ...step, made: true, lead };
  }
  const { path, value } = entry;
  const depth = path.findIndex((_, i) => nodeAt(layout, path.slice(0, i + 1)) === undefined);
  const missing = depth < 0 ? path.length : depth;
  const at = path.slice(0, missing);
  const container = nodeAt(layout, at);
  const wanted = missing === path.length ? "array" : "object";
  if (entry.kind === "member" && missing === path.length)
    throw new GestaltError(
      "usage",
      `"${path.join(".")}" is there already and runs something else`,
      `remove or rename that entry, then run this again`,
    );
  if (container === undefined || container.type !== wanted)
    throw malformed(
      `"${at.join(".")}" is ${container?.type ?? "nothing"}, not ${wanted === "array" ? "a list" : "an object"}`,
    );
  if (missing === path.length) {
    const { text: now, interior } = insertChild(layout, container, (indent) => rendered(layout, value, indent));
    return { text: now, interiors: interiorAt(at, interior) };
  }
  const [key = "", ...inner] = path.slice(missing);
  const nested = inner.reduceRight<unknown>(
    (held, name) => ({ [name]: held }),
    entry.kind === "item" ? [value] : value,
  );
  const { text: now, interior } = insertChild(
    layout,
    container,
    (indent) => `${JSON.stringify(key)}: ${rendered(layout, nested, indent)}`,
  );
  // A member of ours goes with its value; what was made to hold it is remembered.
  const last = entry.kind === "member" ? path.length - 1 : path.length;
  const created = path.map((_, i) => path.slice(0, i + 1)).slice(missing, last);
  return { text: now, created, interiors: interiorAt(at, interior) };
}

const interiorAt = (path: readonly string[], text: string | undefined): Addition["interiors"] =>
  text === undefined ? [] : [{ path, text }];

/** Every node whose value is ours. The search does not look inside one. */
function findOurs(node: Node | undefined, ours: Ours, path: readonly (string | number)[] = []): readonly Node[] {
  if (node === undefined) return [];
  if (node.type === "property") return findOurs(node.children?.[1], ours, [...path, String(node.children?.[0]?.value)]);
  if (node.type === "object") {
    if (ours(path, () => getNodeValue(node))) return [node];
    return (node.children ?? []).flatMap((child) => findOurs(child, ours, path));
  }
  return (node.children ?? []).flatMap((child, i) => findOurs(child, ours, [...path, i]));
}

function removeOurs(text: string, ours: Ours, addition: Addition | undefined): string {
  let now = text;
  for (let layout = layoutOf(now); ; layout = layoutOf(now)) {
    const [node] = findOurs(layout.root, ours);
    if (node === undefined) break;
    now = removeNode(layout, node, addition);
  }
  const added = addition?.created.filter((path) => path.length === 1 && isPlain(layoutOf(now), path)) ?? [];
  for (const path of added) now = removeMember(now, path, addition);
  return addition?.made === true ? withoutEmptyRoot(now, addition.lead) : now;
}

const isPlain = (layout: Layout, path: readonly string[]): boolean => {
  const type = nodeAt(layout, path)?.type;
  return type !== undefined && type !== "object" && type !== "array";
};

function removeMember(text: string, path: readonly string[], addition: Addition | undefined): string {
  const layout = layoutOf(text);
  const node = nodeAt(layout, path);
  return node === undefined ? text : removeNode(layout, node, addition);
}

/** Takes out a value with the key it stands under, and the containers that it leaves empty and that were made for it. */
function removeNode(layout: Layout, node: Node, addition: Addition | undefined): string {
  const child = node.parent?.type === "property" ? node.parent : node;
  const container = child.parent;
  if (container === undefined) return layout.text;
  const path = pathOf(container);
  const alone = (container.children ?? []).length === 1;
  if (alone && !hasComment(layout, container, child)) {
    const group = path.at(-1) === "hooks" && typeof path.at(-2) === "number" ? container.parent?.parent : undefined;
    if (group !== undefined) return removeNode(layout, group, addition);
    if (container.parent !== undefined && madeForUs(path, addition)) return removeNode(layout, container, addition);
  }
  const text = removeChild(layout, container, child);
  const interior = addition?.interiors.find((known) => samePath(known.path, path));
  return alone && interior !== undefined ? restoreInterior(text, interior.path, interior.text) : text;
}

/** Whether a container was made for our entries; when nothing is known, whether it is of a kind that is of no use empty. */
const madeForUs = (path: readonly (string | number)[], addition: Addition | undefined): boolean =>
  addition === undefined
    ? path.length <= 2 && ["hooks", "mcpServers", "servers"].includes(String(path[0]))
    : addition.created.some((made) => samePath(made, path));

const hasComment = ({ comments }: Layout, { offset, length }: Node, child: Node): boolean =>
  comments.some(
    ({ start }) =>
      start > offset && start < offset + length && !(start > child.offset && start < child.offset + child.length),
  );

function pathOf(node: Node): readonly (string | number)[] {
  const { parent } = node;
  if (parent === undefined) return [];
  if (parent.type === "property") return [...pathOf(parent), String(parent.children?.[0]?.value)];
  if (parent.type === "array") return [...pathOf(parent), parent.children?.indexOf(node) ?? -1];
  return pathOf(parent);
}

/** An object that was made in an empty file goes when it is empty again. */
function withoutEmptyRoot(text: string, lead: string): string {
  const { root } = layoutOf(text);
  if (root === undefined || (root.children ?? []).length > 0) return text;
  const inside = text.slice(root.offset + 1, root.offset + root.length - 1);
  if (inside.trim() !== "") return text;
  const before = text.slice(0, root.offset);
  return (
    (before.endsWith(lead) ? before.slice(0, before.length - lead.length) : before) +
    text.slice(root.offset + root.length).replace(/^\r?\n/, "")
  );
}
