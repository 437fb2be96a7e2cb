import { renameSync, statSync } from "node:fs";
import { dayOf } from "./hooks/age.ts";
import { appendLine, faultsFile, readLines, type State } from "./state.ts";

/** Bytes of the log after which no more is written until somebody has read it. */
const enough = 100_000;

/** Writes a fault down. A hook that cannot even do that stays silent. */
export function addFault(state: State, event: string, message: string): void {
  try {
    const file = faultsFile(state);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > enough) return;
    appendLine(file, { at: new Date().toISOString(), event, message: message.slice(0, 500) });
  } catch {
    // Nowhere to write: there is nobody to tell.
  }
}

/** The faults since they were last shown, a line for each kind with how often; they are not shown again. */
export function takeFaults(state: State): readonly string[] {
  const faults = readLines(faultsFile(state));
  if (faults.length === 0) return [];
  renameSync(faultsFile(state), `${faultsFile(state)}.seen`);
  const kinds = Map.groupBy(faults, ({ event, message }) => `hook ${event}: ${message}`);
  return [...kinds].map(([text, all]) => {
    const last = new Date(String(all.at(-1)?.["at"]));
    const day = Number.isNaN(last.getTime()) ? "" : `, last on ${dayOf(last)}`;
    return `${text} (${all.length} times${day})`;
  });
}
