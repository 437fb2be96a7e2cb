import { newMark } from "../fence.ts";
import { type Ledger, toSubagent } from "../ledger.ts";
import { hashOf } from "../state.ts";
import { greenwichDayOf } from "./age.ts";
import { renderBlock } from "./block.ts";
import type { HookContext } from "./context.ts";
import { injectedOf } from "./inject.ts";
import { type HookInput, recordOf, textOf } from "./input.ts";
import { leastFit } from "./prompt.ts";
import { askable, queryOf } from "./prompt-text.ts";
import { nothing, type Reply } from "./reply.ts";

const budget = 1000;
const pointers = 5;

/** Addresses of notes at the end of a subagent's task: the one moment at which its text can be seen. */
export async function onSubagent(context: HookContext, ledger: Ledger, input: HookInput): Promise<Reply> {
  const tool = textOf(input.fields["tool_name"]);
  const task = recordOf(input.fields["tool_input"]);
  const prompt = textOf(task?.["prompt"]);
  if (task === undefined || prompt === undefined || (tool !== "Task" && tool !== "Agent")) return nothing;
  const asked = askable(prompt);
  if ("skip" in asked) return nothing;
  const found = await context.notes.recall(queryOf(asked.ask, context.settings["hook-query"]), pointers);
  if (found === undefined || !found.served) return nothing;
  const mark = newMark();
  const { text, pointers: named } = renderBlock(
    found.sections.filter(({ fit }) => fit >= leastFit),
    {
      mark,
      budget,
      today: greenwichDayOf(context.now),
      intro: "Notes of the user that may help with this task.",
      passages: 0,
    },
  );
  if (text === "") return nothing;
  ledger.add({
    kind: "injected",
    at: context.now.toISOString(),
    mark,
    event: toSubagent,
    why: found.why,
    characters: text.length,
    prompt: hashOf(asked.ask),
    sections: named.map((section) => ({
      ...injectedOf(section, context.settings["hits-log"]),
      pointer: true as const,
    })),
  });
  return { kind: "input", input: { ...task, prompt: `${prompt}\n\n${text}` } };
}
