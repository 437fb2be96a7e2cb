import { GestaltError, messageOf } from "../../errors.ts";
import type { Json } from "../tools/tool.ts";

/** What goes back for a call. */
export type CallResult = {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

/** An answer as data, and as text for clients that read no data. */
export const answered = (answer: Json): CallResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
});

/** What stopped a call, so that no agent takes it for an empty answer. */
export function faulty(error: unknown): CallResult {
  const { message, hint } =
    error instanceof GestaltError
      ? error
      : { message: messageOf(error), hint: "gestalt status, with GESTALT_DEBUG=1, and report what it prints" };
  const kind = error instanceof GestaltError ? "This is a fault" : "This is a fault of gestalt's own (a bug)";
  return { content: [{ type: "text", text: `${kind}, not an empty answer: ${message}\nTry: ${hint}` }], isError: true };
}
