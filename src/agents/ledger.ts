import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./hooks/input.ts";
import { appendLine, fileNameOf, namesIn, readLines, type State, sessionsFolder } from "./state.ts";

/**
 * A section that was put before an agent, or lines that it has read. `hash` stands for the note's content: changed, it is another.
 * Lines of one content are the same under whatever address they were asked for.
 */
export type Injected = {
  readonly id: string;
  readonly hash: string;
  readonly lines?: readonly [start: number, end: number];
  readonly pointer?: true;
};

/** One line of a session's log. `at` is ISO 8601. */
export type Entry =
  | {
      readonly kind: "injected";
      readonly at: string;
      /** The block's mark: who wrote the line. */
      readonly mark: string;
      readonly event: string;
      readonly why: string;
      readonly characters: number;
      readonly sections: readonly Injected[];
      /** A hash of what was asked; the words themselves only when the user wants them logged. */
      readonly prompt?: string;
      readonly words?: string;
    }
  | { readonly kind: "reset"; readonly at: string; readonly why: string }
  | { readonly kind: "off" | "on"; readonly at: string }
  /** The agent has read these lines itself. */
  | { readonly kind: "read"; readonly at: string; readonly section: Injected }
  | { readonly kind: "used"; readonly at: string; readonly ids: readonly string[] };

/** What one session of an agent has been shown. */
export type Ledger = {
  readonly session: string;
  /** All lines, oldest first. */
  entries(): readonly Entry[];
  add(entry: Entry): void;
};

/** A session that goes by this name is every session. */
export const everySession = "every session";

export function openLedger(state: State, session: string): Ledger {
  const file = join(sessionsFolder(state), `${fileNameOf(session)}.jsonl`);
  return {
    session,
    entries: () => readLines(file).flatMap((line) => entryOf(line) ?? []),
    add: (entry) => appendLine(file, entry),
  };
}

/** The names of all sessions that have a log, newest first. */
export const loggedSessions = (state: State): readonly string[] =>
  namesIn(sessionsFolder(state))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ name, at: statSync(join(sessionsFolder(state), name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name.slice(0, -".jsonl".length));

/** Removes a session's log. */
export const forgetLog = (state: State, session: string): void =>
  rmSync(join(sessionsFolder(state), `${fileNameOf(session)}.jsonl`), { force: true });

/** Whether hooks may speak: nothing said so, or the last word was "on". A session's own word beats that for all. */
export function isOn(state: State, ledger: Ledger): boolean {
  const lastWord = (entries: readonly Entry[]) => entries.findLast(({ kind }) => kind === "on" || kind === "off")?.kind;
  return (lastWord(ledger.entries()) ?? lastWord(openLedger(state, everySession).entries())) !== "off";
}

/** All that hooks have shown in a session, to subagents too, by address: as text where it ever was. */
export const sectionsShown = (entries: readonly Entry[]): ReadonlyMap<string, Injected> =>
  byAddress(entries.flatMap((entry) => (entry.kind === "injected" ? entry.sections : [])));

/** The event that speaks to another agent: its context is another one. */
export const toSubagent = "subagent";

/** What was shown since the context was last cut down or cleared, by address. A pointer is not the text. */
export function shownSince(entries: readonly Entry[]): ReadonlyMap<string, Injected> {
  const start = entries.findLastIndex(({ kind }) => kind === "reset") + 1;
  return byAddress(entries.slice(start).flatMap(sectionsOf));
}

/** The last of each, but no pointer in the place of a text. */
function byAddress(sections: readonly Injected[]): ReadonlyMap<string, Injected> {
  const shown = new Map<string, Injected>();
  for (const section of sections)
    if (section.pointer === undefined || !shown.has(section.id)) shown.set(section.id, section);
  return shown;
}

function sectionsOf(entry: Entry): readonly Injected[] {
  if (entry.kind === "read") return [entry.section];
  return entry.kind === "injected" && entry.event !== toSubagent ? entry.sections : [];
}

/**
 * Whether a section may be shown again: neither it nor lines that hold it were, or the note has changed since. As text also after
 * a pointer.
 */
export function isNew(shown: ReadonlyMap<string, Injected>, section: Injected): boolean {
  const before = shown.get(section.id);
  if (before?.hash === section.hash && (before.pointer === undefined || section.pointer !== undefined)) return false;
  return ![...shown.values()].some((other) => holds(other, section));
}

/** Whether all lines of one were shown with the other. */
export const holds = (whole: Injected, part: Injected): boolean =>
  whole.pointer === undefined &&
  whole.hash === part.hash &&
  whole.lines !== undefined &&
  part.lines !== undefined &&
  whole.lines[0] <= part.lines[0] &&
  whole.lines[1] >= part.lines[1];

/**
 * Claims sections for one block: several hooks of a session may run at once, and the first line in the log has them.
 *
 * @returns the sections that nobody claimed before; when they are not all, nothing is to be shown of the others
 */
export function claim(ledger: Ledger, entry: Extract<Entry, { kind: "injected" }>): readonly Injected[] {
  ledger.add(entry);
  const entries = ledger.entries();
  const mine = entries.findIndex((other) => other.kind === "injected" && other.mark === entry.mark);
  const before = shownSince(entries.slice(0, Math.max(0, mine)));
  return entry.sections.filter((section) => isNew(before, section));
}

/** One compaction may be told of twice, before and after what a hook puts in anew: the second time counts for nothing. */
const told = 60_000;

const isTold = ({ kind, at }: Entry, now: Date): boolean => kind === "reset" && now.getTime() - Date.parse(at) < told;

/** Forgets what was shown: the agent's context no longer has it. */
export function reset(ledger: Ledger, why: string, now: Date): void {
  if (!ledger.entries().some((entry) => isTold(entry, now))) ledger.add({ kind: "reset", at: now.toISOString(), why });
}

/** What a compaction that is happening now has taken from the agent, whether or not it was told of already. */
export function shownBefore(entries: readonly Entry[], now: Date): ReadonlyMap<string, Injected> {
  const end = entries.findLastIndex((entry) => isTold(entry, now));
  return shownSince(end < 0 ? entries : entries.slice(0, end));
}

function entryOf(line: Readonly<Record<string, unknown>>): Entry | undefined {
  const at = textOf(line["at"]) ?? "";
  switch (line["kind"]) {
    case "injected":
      return {
        kind: "injected",
        at,
        mark: textOf(line["mark"]) ?? "",
        event: textOf(line["event"]) ?? "",
        why: textOf(line["why"]) ?? "",
        characters: Number(line["characters"]) || 0,
        sections: listOf(line["sections"]).flatMap((section) => injectedOf(section) ?? []),
        ...optional("prompt", line["prompt"]),
        ...optional("words", line["words"]),
      };
    case "reset":
      return { kind: "reset", at, why: textOf(line["why"]) ?? "" };
    case "on":
    case "off":
      return { kind: line["kind"], at };
    case "read": {
      const section = injectedOf(line["section"]);
      return section && { kind: "read", at, section };
    }
    case "used":
      return { kind: "used", at, ids: listOf(line["ids"]).flatMap((id) => textOf(id) ?? []) };
    default:
      return undefined;
  }
}

function injectedOf(value: unknown): Injected | undefined {
  if (typeof value !== "object" || value === null || !("id" in value) || !("hash" in value)) return undefined;
  const { id, hash } = value;
  if (typeof id !== "string" || typeof hash !== "string") return undefined;
  const lines = "lines" in value && isRange(value.lines) ? { lines: value.lines } : {};
  return { id, hash, ...lines, ...("pointer" in value && value.pointer === true ? { pointer: true as const } : {}) };
}

const isRange = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const optional = <K extends string>(key: K, value: unknown): { readonly [P in K]?: string } =>
  typeof value === "string" ? ({ [key]: value } as { readonly [P in K]: string }) : {};
