/** Who calls: told from the input alone. Codex and Gemini speak as Claude Code does. */
export type Client = "claude" | "cursor";

/** What every event says. `session` is never empty. */
export type HookInput = {
  readonly client: Client;
  /** The client's own name of the event, as it wants it back. */
  readonly name: string;
  readonly session: string;
  readonly cwd: string | undefined;
  readonly transcript: string | undefined;
  /** Set inside a subagent only. */
  readonly agent: string | undefined;
  /** The whole object, for what only one event has. */
  readonly fields: Fields;
};

export type Fields = Readonly<Record<string, unknown>>;

/** Larger inputs are passed over: nothing a person types is as long. Characters. */
const longest = 8_000_000;

/** Reads what a client wrote on stdin. Undefined for anything that no client writes. */
export function parseInput(stdin: string): HookInput | undefined {
  if (stdin.length > longest) return undefined;
  const fields = objectIn(stdin);
  if (fields === undefined) return undefined;
  const name = textOf(fields["hook_event_name"]);
  const session = textOf(fields["session_id"]) ?? textOf(fields["conversation_id"]);
  if (name === undefined || session === undefined) return undefined;
  const cursor = fields["cursor_version"] !== undefined || fields["conversation_id"] !== undefined;
  const roots = fields["workspace_roots"];
  return {
    client: cursor ? "cursor" : "claude",
    name,
    session,
    cwd: textOf(fields["cwd"]) ?? (Array.isArray(roots) ? textOf(roots[0]) : undefined),
    transcript: textOf(fields["transcript_path"]),
    agent: textOf(fields["agent_id"]),
    fields,
  };
}

/** The JSON object that a text is; undefined when it is none. */
export function objectIn(text: string): Fields | undefined {
  try {
    return recordOf(JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text));
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value when it is an object. */
export const recordOf = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined);

/** A value when it is text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
