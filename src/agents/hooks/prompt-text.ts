import { withoutBlocks } from "../fence.ts";
import { type HookInput, textOf } from "./input.ts";

/** Characters of a prompt that are looked at; the last ones, where the question stands when much was pasted before it. */
const longest = 8000;
/** Shorter prompts ask for nothing that notes could answer. A character of a script without letters counts as three. */
const shortest = 12;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

export type Asked = { readonly ask: string } | { readonly skip: string };

/** The text of a prompt that is worth searching for, or why there is none. */
export function promptOf({ agent, fields }: HookInput): Asked {
  const source = textOf(fields["source"]);
  if (source !== undefined && source !== "user" && source !== "sdk") return { skip: `from ${source}` };
  if (agent !== undefined) return { skip: "inside a subagent" };
  const prompt = textOf(fields["prompt"]);
  return prompt === undefined ? { skip: "no prompt" } : askable(prompt);
}

/** The same for a text that did not come with an event. */
export function askable(prompt: string): Asked {
  const text = withoutBlocks(prompt).trim();
  if (/^[/!#]\S/.test(text)) return { skip: "a command" };
  if (/^<(?:command|local-command|task-notification|system-reminder|bash-)/.test(text)) return { skip: "a command" };
  if (text.length + 2 * (text.match(dense)?.length ?? 0) < shortest) return { skip: "short" };
  return { ask: text.slice(-longest).toWellFormed() };
}

/** Which part of a prompt is searched for: all of it, its last paragraph. `idf` is left to the search. */
export function queryOf(prompt: string, shape: "full" | "last" | "idf"): string {
  if (shape !== "last") return prompt;
  return prompt.split(/\n\s*\n/).at(-1) ?? prompt;
}
