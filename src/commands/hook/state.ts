import { join } from "node:path";
import type { State } from "../../agents/state.ts";
import { resolveSettings, stateDir } from "../../settings.ts";

/** Where hooks keep their state, as the settings say. */
export const hookState = (): State => ({
  folder: resolveSettings({}, ["state-dir"]).values["state-dir"] ?? join(stateDir(), "hooks"),
});
