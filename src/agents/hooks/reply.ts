import type { HookInput } from "./input.ts";

/** What a hook has to say, before it takes a client's shape. */
export type Reply =
  | { readonly kind: "context"; readonly text: string }
  | { readonly kind: "input"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "nothing" };

export const nothing: Reply = { kind: "nothing" };

/** Claude Code keeps injected text up to 10,000 characters; longer text becomes a file and a preview. */
export const mostCharacters = 9500;

/**
 * A reply in the client's shape: one line of JSON, or "" for silence.
 *
 * Claude Code passes on what is in `hookSpecificOutput`, and nothing of a bare object. Cursor wants an answer before it
 * sends a prompt, and takes context at the start of a session and after a tool only.
 */
export function shapeOf(reply: Reply, { client, name }: HookInput): string {
  if (client === "cursor") {
    if (name === "beforeSubmitPrompt") return JSON.stringify({ continue: true });
    const takes = name === "sessionStart" || name === "postToolUse";
    return takes && reply.kind === "context" ? JSON.stringify({ additional_context: reply.text }) : "";
  }
  switch (reply.kind) {
    case "context":
      return JSON.stringify({
        suppressOutput: true,
        hookSpecificOutput: { hookEventName: name, additionalContext: reply.text },
      });
    case "input":
      return JSON.stringify({ hookSpecificOutput: { hookEventName: name, updatedInput: reply.input } });
    case "nothing":
      return "";
  }
}
