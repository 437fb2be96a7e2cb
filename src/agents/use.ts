import { basename } from "node:path";
import { type Entry, type Injected, sectionsShown } from "./ledger.ts";
import type { Turn } from "./transcript.ts";

/** Words in a row that an agent has from a section when both hold them. */
const quote = 8;

/**
 * Addresses that were shown and then opened by a tool, named or quoted by the agent, and are not down as used yet.
 *
 * @param textsOf the sections' text by their addresses
 */
export async function usedOf(
  entries: readonly Entry[],
  turns: readonly Turn[],
  textsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly string[]> {
  const known = new Set(entries.flatMap((entry) => (entry.kind === "used" ? entry.ids : [])));
  const shown = new Map(sectionsShown(entries).map((section) => [section.id, section]));
  const said = turns.flatMap((turn) =>
    turn.kind === "called" ? [turn.input] : turn.kind === "assistant" ? [turn.text] : [],
  );
  const all = said.join("\n");
  const open = [...shown.values()].filter(({ id }) => !known.has(id));
  const named = open.filter((section) => isNamed(section, all, shown)).map(({ id }) => id);
  const rest = open.filter(({ id, pointer }) => pointer === undefined && !named.includes(id)).map(({ id }) => id);
  return [...named, ...(said.length > 0 && rest.length > 0 ? quotedIn(said, await textsOf(rest)) : [])];
}

/** Whether a section's note is named, and with it neither another of the sections that were shown nor other lines. */
function isNamed({ id, lines }: Injected, said: string, shown: ReadonlyMap<string, unknown>): boolean {
  const path = id.replace(/#[^#]*$/, "");
  const name = path.includes("/") ? basename(path) : path;
  if (path.length <= 3) return false;
  for (let at = said.indexOf(name); at >= 0; at = said.indexOf(name, at + name.length)) {
    const after = said.slice(at + name.length, at + name.length + 200);
    const block = /^#\^?([^\s"'`\])}>,;]+)/.exec(after)?.[1]?.replace(/[.:!?]+$/, "");
    const [, from, to = from] = /^:(\d+)(?:-(\d+))?/.exec(after) ?? [];
    const isOther = block !== undefined && `${path}#${block}` !== id && shown.has(`${path}#${block}`);
    if (!isOther && (from === undefined || overlap(lines, [Number(from), Number(to)]))) return true;
  }
  return false;
}

const overlap = (a: Injected["lines"], b: readonly [number, number]): boolean =>
  a === undefined || (a[0] <= b[1] && b[0] <= a[1]);

/** The texts of which any turn has so many words in a row, whatever stands between them. */
function quotedIn(turns: readonly string[], texts: ReadonlyMap<string, string>): readonly string[] {
  const owners = new Map<string, string[]>();
  for (const [id, text] of texts)
    for (const run of runsOf(text)) owners.set(run, [...(owners.get(run) ?? []).filter((other) => other !== id), id]);
  const found = new Set<string>();
  for (const turn of turns) for (const run of runsOf(turn)) for (const id of owners.get(run) ?? []) found.add(id);
  return [...texts.keys()].filter((id) => found.has(id));
}

function* runsOf(text: string): Generator<string> {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let end = quote; end <= words.length; end++) yield words.slice(end - quote, end).join(" ");
}
