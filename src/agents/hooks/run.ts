import { GestaltError, messageOf } from "../../errors.ts";
import { addFault } from "../faults.ts";
import { isOn, openLedger } from "../ledger.ts";
import type { State } from "../state.ts";
import type { HookContext } from "./context.ts";
import { type EventName, events, type HookEvent } from "./events.ts";
import { type HookInput, parseInput } from "./input.ts";
import { nothing, type Reply, shapeOf } from "./reply.ts";

export type HookRun = {
  readonly event: EventName;
  readonly state: State;
  readonly stdin: () => Promise<string>;
  /** Opens the notes for an input and lends them; its errors are this hook's errors. */
  readonly withContext: (input: HookInput, use: (context: HookContext) => Promise<Reply>) => Promise<Reply>;
};

/**
 * Runs one hook from stdin to what is to be written on stdout: one JSON object, or "". Never throws, and never takes longer
 * than the event's deadline: a hook may not stand in the way. What went wrong is kept for `gestalt status`.
 */
export async function runHook({ event, state, stdin, withContext }: HookRun): Promise<string> {
  const { names, deadline, run, off }: HookEvent = events[event];
  let input: HookInput | undefined;
  const answered = (async () => {
    input = parseInput(await stdin());
    if (input === undefined || !names.includes(input.name)) return nothing;
    const known = input;
    const ledger = openLedger(state, known.session);
    if (!isOn(state, ledger)) {
      await off?.(known);
      return nothing;
    }
    return await withContext(known, (context) => run(context, ledger, known));
  })();
  const late = Bun.sleep(deadline).then((): Reply => {
    if (input !== undefined) addFault(state, event, `took longer than ${deadline} ms`);
    return nothing;
  });
  const reply = await Promise.race([answered, late]).catch((error: unknown): Reply => {
    if (isFault(error)) addFault(state, event, messageOf(error));
    return nothing;
  });
  return input === undefined || !names.includes(input.name) ? "" : shapeOf(reply, input);
}

/** Where there are no notes there is nothing to say; anything else should not have happened. */
const isFault = (error: unknown): boolean =>
  !(error instanceof GestaltError && (error.code === "no-vault" || error.code === "no-index"));
