import type { HookContext, Notes } from "../../../src/agents/hooks/context.ts";
import type { EventName } from "../../../src/agents/hooks/events.ts";
import { runHook } from "../../../src/agents/hooks/run.ts";
import { hashOf, type State } from "../../../src/agents/state.ts";
import type { Recalled, RecalledSection } from "../../../src/engine/recall.ts";

export const section = (id: string, text: string, more: Partial<RecalledSection> = {}): RecalledSection => ({
  id: `${id}.md#part`,
  path: `${id}.md`,
  title: id,
  headings: [],
  start: 1,
  end: 2,
  day: "2026-10-01",
  hash: hashOf(text),
  text,
  fit: 1,
  ...more,
});

export const served = (...sections: RecalledSection[]): Recalled => ({
  served: true,
  why: "test",
  signals: { words: 1 },
  sections,
});
export const unserved: Recalled = { served: false, why: "test", signals: { words: 0 }, sections: [] };

const settings: HookContext["settings"] = {
  "hook-budget": 2400,
  "hook-start-budget": 1600,
  "hook-query": "full",
  "hits-log": true,
  "hits-log-text": false,
  "session-records": true,
  "session-retention-days": 30,
  "edit-check": false,
};

/** Runs one hook over notes that are handed in; returns what it wrote, parsed, or "". */
export async function fire(
  state: State,
  event: EventName,
  input: unknown,
  notes: Partial<Notes> = {},
  more: Partial<HookContext["settings"]> = {},
): Promise<unknown> {
  const text = await runHook({
    event,
    state,
    stdin: async () => (typeof input === "string" ? input : JSON.stringify(input)),
    withContext: (_, use) =>
      use({
        state,
        settings: { ...settings, ...more },
        now: new Date(),
        notes: {
          recall: async () => unserved,
          about: async () => [],
          texts: async () => new Map(),
          check: async () => [],
          catchUp: async () => true,
          prepare() {},
          ...notes,
        },
      }),
  });
  return text === "" ? "" : JSON.parse(text);
}

/** The text that a reply puts before the agent; "" for silence. */
export function contextIn(reply: unknown): string {
  const found = /"(?:additionalContext|additional_context|prompt)":("(?:[^"\\]|\\.)*")/.exec(
    JSON.stringify(reply),
  )?.[1];
  return found === undefined ? "" : String(JSON.parse(found));
}
