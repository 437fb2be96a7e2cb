import type { Ledger } from "../ledger.ts";
import { reset } from "../ledger.ts";
import type { HookContext } from "./context.ts";
import { onFile } from "./file.ts";
import type { HookInput } from "./input.ts";
import { onPrompt } from "./prompt.ts";
import { nothing, type Reply } from "./reply.ts";
import { onSessionStart, onSilentStart } from "./session-start.ts";
import { onSessionEnd, onStop } from "./stop.ts";
import { onSubagent } from "./subagent.ts";

/** One event of ours: the clients' names for it, the milliseconds it has, and what it does. */
export type HookEvent = {
  readonly names: readonly string[];
  readonly deadline: number;
  readonly run: (context: HookContext, ledger: Ledger, input: HookInput) => Promise<Reply>;
  /** What there is to do in a session in which hooks are off. */
  readonly off?: (input: HookInput) => Promise<void>;
};

/**
 * After a compaction the agent no longer has what it was shown. Nothing can be said to the agent at this moment. A client that
 * tells of both ends tells of the first one as PreCompact.
 */
async function onCompacted({ now }: HookContext, ledger: Ledger, { name }: HookInput): Promise<Reply> {
  if (name !== "PreCompact") reset(ledger, "compact", now);
  return nothing;
}

/** Every event. `hooks/` registers the same names. */
export const events = {
  "session-start": {
    names: ["SessionStart", "sessionStart"],
    deadline: 1500,
    run: onSessionStart,
    off: onSilentStart,
  },
  prompt: { names: ["UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt"], deadline: 1000, run: onPrompt },
  subagent: { names: ["PreToolUse"], deadline: 1000, run: onSubagent },
  file: { names: ["PostToolUse", "postToolUse", "AfterTool"], deadline: 700, run: onFile },
  "post-tool": { names: ["postToolUse"], deadline: 700, run: onFile },
  edited: { names: ["afterFileEdit"], deadline: 700, run: async () => nothing },
  compacted: { names: ["PreCompact", "PostCompact", "preCompact", "PreCompress"], deadline: 700, run: onCompacted },
  stop: { names: ["Stop", "stop", "AfterAgent"], deadline: 2000, run: onStop },
  "session-end": { names: ["SessionEnd", "sessionEnd"], deadline: 600, run: onSessionEnd },
} satisfies Record<string, HookEvent>;

export type EventName = keyof typeof events;
