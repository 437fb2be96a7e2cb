/** A hundred things that no client writes, or that say nothing: for an event of this name, which tells the client. */
export function malformed(name: string): readonly string[] {
  const cursor = /^[a-z]/.test(name);
  const id = cursor ? "conversation_id" : "session_id";
  const where = cursor ? { cursor_version: "3", workspace_roots: ["/home/ada/app"] } : { cwd: "/home/ada/app" };
  const good = { [id]: "s1", transcript_path: "/none", ...where, hook_event_name: name };
  const text = JSON.stringify(good);
  const odd: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1e308,
    "",
    " ",
    "\0",
    [],
    {},
    [[]],
    { a: { b: {} } },
    "x".repeat(100_000),
    "\ud800",
    ["a"],
  ];
  return [
    ...[
      "",
      " ",
      "\n",
      "\0",
      "null",
      "true",
      "1",
      '"text"',
      "[]",
      "[{}]",
      "{}",
      "{",
      "}",
      "{{}}",
      "undefined",
      "NaN",
      "<xml/>",
      "\ufeff",
      "\ufeff{}",
    ],
    ...[
      "not json at all",
      "{'a': 1}",
      '{"a":}',
      `${text}${text}`,
      `${text},`,
      `[${text}]`,
      `"${text}"`,
      `\x1b[31m${text}`,
      `data: ${text}`,
    ],
    // Cut off at twenty places.
    ...Array.from({ length: 20 }, (_, part) => text.slice(0, Math.floor((text.length * (part + 1)) / 21))),
    `{"a":${"[".repeat(100_000)}`,
    `{"${id}":"s1","hook_event_name":"${name}","prompt":"${"x".repeat(8_000_001)}"}`,
    `{"${id}":"s1","__proto__":{"hook_event_name":"${name}"}}`,
    // Every field that is always there, in a form it never has; those of the event itself stay away.
    ...odd.map((value) => JSON.stringify({ ...good, [id]: value, ...neutral(value) })),
    ...odd.map((value) => JSON.stringify({ ...good, hook_event_name: value })),
    ...["Other", "userpromptsubmit", "__proto__", "constructor", "toString", "PreToolUse ", "../Stop"].map((other) =>
      JSON.stringify({ ...good, hook_event_name: other, prompt: "why did we drop the retry queue?" }),
    ),
    ...odd
      .map((value) =>
        JSON.stringify({
          ...good,
          cwd: "/none",
          prompt: value,
          tool_name: value,
          tool_input: value,
          transcript_path: value,
        }),
      )
      .filter((line) => !line.includes("x".repeat(100_000))),
  ];
}

/** A session's name may be any text: then the event says nothing else. */
const neutral = (value: unknown): object =>
  typeof value === "string" && value.trim() !== "" ? { agent_id: "a", cwd: undefined, workspace_roots: undefined } : {};

/** What may be said to such things: nothing, or to Cursor, which waits for a word before it sends a prompt, that it may. */
export const harmless: ReadonlySet<string> = new Set(["", JSON.stringify({ continue: true })]);
