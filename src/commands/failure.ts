import { GestaltError, messageOf } from "../errors.ts";
import { resolveSettings } from "../settings.ts";

/** Control characters, which a name or a value may hold, as text: they never reach a terminal raw. */
export const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** A line of ours on stderr. */
export const notice = (message: string): void => console.error(`gestalt: ${printable(message)}`);

/**
 * Says why a run stopped: two lines on stderr, and with `json` an object on stdout besides. What is no GestaltError is a bug
 * and is called one; GESTALT_DEBUG=1 shows where it happened.
 *
 * @returns the exit code
 */
export function stoppedAt(error: unknown, json: boolean): 1 | 2 {
  const { code, message, hint, exitCode } =
    error instanceof GestaltError
      ? error
      : {
          code: "bug",
          message: `this is a bug: ${messageOf(error)}`,
          hint: "the same again with GESTALT_DEBUG=1, and report what it prints",
          exitCode: 1 as const,
        };
  if (json) console.log(JSON.stringify({ error: { code, message, hint } }));
  notice(message);
  console.error(`  try: ${printable(hint)}`);
  if (isDebugging() && error instanceof Error) console.error(error.stack);
  return exitCode;
}

/** Whether GESTALT_DEBUG is on. A bad value is off: it must not hide the error at hand. */
export function isDebugging(): boolean {
  try {
    return resolveSettings({}, ["debug"]).values.debug;
  } catch {
    return false;
  }
}
