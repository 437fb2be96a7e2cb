import { everySession, openLedger } from "../../agents/ledger.ts";
import { GestaltError } from "../../errors.ts";
import { printable } from "../failure.ts";
import { hookState } from "./state.ts";

/**
 * Writes down that hooks are to speak or to be silent.
 *
 * @throws GestaltError "usage" when it is not said for which session
 */
export function switchHooks(to: "on" | "off", session: string | undefined, all: boolean): void {
  if (!all && session === undefined)
    throw new GestaltError("usage", "no session is named, and this shell is not an agent's", `gestalt ${to} --all`);
  openLedger(hookState(), session ?? everySession).add({ kind: to, at: new Date().toISOString() });
  console.log(printable(`hooks are ${to} in ${session === undefined ? everySession : `session ${session}`}`));
}
