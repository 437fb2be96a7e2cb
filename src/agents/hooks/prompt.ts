import type { Ledger } from "../ledger.ts";
import type { HookContext } from "./context.ts";
import { inject } from "./inject.ts";
import type { HookInput } from "./input.ts";
import { promptOf, queryOf } from "./prompt-text.ts";
import { nothing, type Reply } from "./reply.ts";

/** Sections that are looked at, and how many of them may be given as text. */
const candidates = 8;
const passages = 4;
/** A section that fits less than this beside the best one is noise. */
export const leastFit = 0.5;

/** The notes that answer what the user has just asked; silence when they do not. */
export async function onPrompt(context: HookContext, ledger: Ledger, input: HookInput): Promise<Reply> {
  // Cursor takes no context with a prompt.
  if (input.client === "cursor") return nothing;
  const asked = promptOf(input);
  if ("skip" in asked) return nothing;
  const found = await context.notes.recall(queryOf(asked.ask, context.settings["hook-query"]), candidates);
  if (found === undefined || !found.served) return nothing;
  return inject(context, ledger, {
    event: "prompt",
    why: found.why,
    prompt: asked.ask,
    sections: found.sections.filter(({ fit }) => fit >= leastFit),
    budget: context.settings["hook-budget"],
    intro: "Sections of the user's notes that may answer this prompt.",
    passages,
  });
}
