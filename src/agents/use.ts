import { basename } from "node:path";
import { type Entry, type Injected, sectionsShown } from "./ledger.ts";
import type { Turn } from "./transcript.ts";

/** Words in a row that an agent has from a section when both hold them, and how many of them must differ. */
const quote = 8;
const different = 5;
/** What a sign of a script without spaces between words counts. */
const perSign = 0.5;
const unspaced =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆]";

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
  const shown = sectionsShown(entries);
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

/** The texts of which any turn has a run of words, whatever stands between them. */
function quotedIn(turns: readonly string[], texts: ReadonlyMap<string, string>): readonly string[] {
  const owners = new Map<string, Set<string>>();
  for (const [id, text] of texts)
    for (const run of runsOf(text)) if (saysSomething(run)) owners.set(run, (owners.get(run) ?? new Set()).add(id));
  const found = new Set<string>();
  for (const turn of turns) for (const run of runsOf(turn)) for (const id of owners.get(run) ?? []) found.add(id);
  return [...texts.keys()].filter((id) => found.has(id));
}

/** A sign of a script that puts no spaces between words, or a word. */
const piece = new RegExp(`${unspaced}\\p{M}*|[\\p{L}\\p{N}](?:(?!${unspaced})[\\p{L}\\p{M}\\p{N}])*`, "gu");
const sign = new RegExp(`^${unspaced}`, "u");

/** From every word on as many as make a quote. */
function* runsOf(text: string): Generator<string> {
  const pieces = text.normalize("NFKC").toLowerCase().match(piece) ?? [];
  const weights = pieces.map((word) => (sign.test(word) ? perSign : 1));
  let end = 0;
  let words = 0;
  for (let start = 0; start < pieces.length; start++) {
    while (words < quote && end < pieces.length) words += weights[end++]!;
    if (words < quote) return;
    yield pieces.slice(start, end).join(" ");
    words -= weights[start]!;
  }
}

/** Rows of numbers and times of one day are alike everywhere. */
const saysSomething = (run: string): boolean =>
  new Set(run.split(" ").filter((word) => /^\p{L}/u.test(word))).size >= different;
