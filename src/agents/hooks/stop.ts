import { type Ledger, reset } from "../ledger.ts";
import { recordOf } from "../record.ts";
import { keepRecord } from "../records.ts";
import { prune, recordsFolder, sessionsFolder } from "../state.ts";
import { readTranscript } from "../transcript.ts";
import { usedOf } from "../use.ts";
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
  const used = await usedOf(ledger.entries(), turns, context.notes.texts);
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
