import { recordOf } from "../hooks/input.ts";

/**
 * A message with the arguments of its call as an object: null, or an object as text, is what some clients send and the SDK refuses. Ours
 * reads the rest.
 */
export function plain(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(plain);
  const call = recordOf(message);
  const params = recordOf(call?.["params"]);
  if (call?.["method"] !== "tools/call" || params === undefined) return message;
  const { arguments: given, ...rest } = params;
  if (given === null) return { ...call, params: rest };
  if (typeof given !== "string") return message;
  try {
    return { ...call, params: { ...rest, arguments: JSON.parse(given) } };
  } catch {
    return message;
  }
}
