import { type EngineSettings, engineKnobs } from "../../src/engine/knobs.ts";
import { resolveSettings } from "../../src/settings.ts";

/** What the engine does when nobody says otherwise, whatever the environment of the tests is. */
export const plainSettings = (): EngineSettings => resolveSettings({ env: {} }, engineKnobs).values;
