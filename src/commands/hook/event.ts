import { writeSync } from "node:fs";
import { type HookContext, hookKnobs } from "../../agents/hooks/context.ts";
import type { EventName } from "../../agents/hooks/events.ts";
import type { HookInput } from "../../agents/hooks/input.ts";
import type { Reply } from "../../agents/hooks/reply.ts";
import { runHook } from "../../agents/hooks/run.ts";
import type { State } from "../../agents/state.ts";
import { withEngine } from "../../engine/open.ts";
import { resolveSettings } from "../../settings.ts";
import { command } from "../command.ts";
import { startDetached } from "../detached.ts";
import { findNotes } from "../find-notes.ts";
import { warmClient } from "../warm.ts";
import { hookState } from "./state.ts";

/** Milliseconds a hook may spend on taking in what changed; the rest waits for another time. */
const sweep = 100;

/** Words that a hook searches for when it looks for the rarest alone. */
const rareWords = 8;
const hookSettings = [...hookKnobs, "hook-gate", "hook-semantic", "hook-semantic-ms", "serve"] as const;

/** `gestalt hook <event>`. */
export const hookCommand = (event: EventName) =>
  command({
    name: event,
    description: "called by an agent",
    args: {},
    silent: true,
    async run() {
      const state = hookState();
      const text = await runHook({
        event,
        state,
        stdin: () => Bun.stdin.text(),
        withContext: (input, use) => withNotesFor(state, input, use),
      });
      // Written at once: the process may end right after.
      if (text !== "") writeSync(1, `${text}\n`);
    },
  });

/** The notes of the folder that the agent works in. */
export async function withNotesFor(
  state: State,
  input: HookInput,
  use: (context: HookContext) => Promise<Reply>,
): Promise<Reply> {
  const cwd = input.cwd ?? process.cwd();
  const { config, settings: search, place } = await findNotes({}, cwd);
  const { values: settings } = resolveSettings({ config }, hookSettings);
  const quick = { ...search, "sweep-ms": Math.min(sweep, search["sweep-ms"]), wait: 0 };
  const strictness = settings["hook-gate"];
  const warm = settings.serve && settings["hook-semantic"] !== "off" ? await warmClient(cwd) : undefined;
  try {
    return await withEngine({ place, settings: quick }, (engine) =>
      use({
        state,
        settings,
        now: new Date(),
        notes: {
          async recall(query, limit) {
            const rarest = settings["hook-query"] === "idf" ? rareWords : undefined;
            const options = { limit, strictness, sweep: false, rarest };
            const given = [query, { ...options, meaning: true }] as const;
            const told = await warm
              ?.ask("recall", { place, settings: search }, given, settings["hook-semantic-ms"])
              .catch(() => undefined);
            if (typeof told === "object" && told.answer !== null) return told.answer;
            return await engine.recall(query, { ...options, meaning: settings["hook-semantic"] === "on" });
          },
          catchUp: engine.catchUp,
          about: engine.about,
          texts: engine.texts,
          check: engine.check,
          // From the same folder, so that it finds the same notes.
          prepare: () => startDetached(["index", "--lexical", "--gate"], cwd),
        },
      }),
    );
  } finally {
    warm?.close();
  }
}
