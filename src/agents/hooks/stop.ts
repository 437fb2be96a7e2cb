import { basename } from "node:path";
import { type Entry, type Injected, type Ledger, reset } from "../ledger.ts";
import { recordOf } from "../record.ts";
import { keepRecord } from "../records.ts";
import { prune, recordsFolder, sessionsFolder } from "../state.ts";
import { readTranscript, type Turn } from "../transcript.ts";
import type { HookContext } from "./context.ts";
import { type HookInput, textOf } from "./input.ts";
import { projectAt } from "./project.ts";
import { nothing, type Reply } from "./reply.ts";

/** Writes down what the session leaves behind so far, and which of the sections it was shown it made use of. */
export async function onStop(context: HookContext, ledger: Ledger, input: HookInput): Promise<Reply> {
  const { transcript, cwd, session, agent } = input;
  await context.notes.catchUp();
  if (transcript === undefined || agent !== undefined) return nothing;
  const turns = readTranscript(transcript);
  const used = usedOf(ledger.entries(), turns);
  if (used.length > 0) ledger.add({ kind: "used", at: context.now.toISOString(), ids: used });
  if (!context.settings["session-records"] || cwd === undefined) return nothing;
  const { root, branch } = projectAt(cwd);
  const record = recordOf(turns, { session, project: root, branch, at: context.now.toISOString() });
  if (record !== undefined) keepRecord(context.state, record);
  return nothing;
}

/** The same at the end of a session, when old sessions are forgotten too. */
export async function onSessionEnd(context: HookContext, ledger: Ledger, input: HookInput): Promise<Reply> {
  await onStop(context, ledger, input);
  if (textOf(input.fields["reason"]) === "clear") reset(ledger, "clear", context.now);
  for (const folder of [sessionsFolder(context.state), recordsFolder(context.state)])
    prune(folder, context.settings["session-retention-days"], context.now);
  return nothing;
}

/** Addresses that were shown and then opened by a tool or named by the agent, and are not down as used yet. */
function usedOf(entries: readonly Entry[], turns: readonly Turn[]): readonly string[] {
  const known = new Set(entries.flatMap((entry) => (entry.kind === "used" ? entry.ids : [])));
  const shown = new Map(
    entries
      .flatMap((entry) => (entry.kind === "injected" ? entry.sections : []))
      .map((section) => [section.id, section]),
  );
  const said = turns
    .flatMap((turn) => (turn.kind === "called" ? [turn.input] : turn.kind === "assistant" ? [turn.text] : []))
    .join("\n");
  return [...shown.values()]
    .filter((section) => !known.has(section.id) && isNamed(section, said, shown))
    .map(({ id }) => id);
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
