import { basename } from "node:path";
import { type Entry, type Ledger, reset } from "../ledger.ts";
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
  const shown = new Set(
    entries.flatMap((entry) => (entry.kind === "injected" ? entry.sections.map(({ id }) => id) : [])),
  );
  const said = turns
    .flatMap((turn) => (turn.kind === "called" ? [turn.input] : turn.kind === "assistant" ? [turn.text] : []))
    .join("\n");
  return [...shown].filter((id) => !known.has(id) && isNamed(id, said));
}

function isNamed(id: string, said: string): boolean {
  const path = id.replace(/#[^#]*$/, "");
  return path.length > 3 && (said.includes(path) || (path.includes("/") && said.includes(basename(path))));
}
