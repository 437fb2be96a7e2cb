import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseInput } from "../../../src/agents/hooks/input.ts";
import { askable, promptOf, queryOf } from "../../../src/agents/hooks/prompt-text.ts";
import { shapeOf } from "../../../src/agents/hooks/reply.ts";

const claude = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/w", hook_event_name: "UserPromptSubmit" };
const inputOf = (fields: object) => parseInput(JSON.stringify({ ...claude, ...fields }))!;

describe("who calls is told from the input", () => {
  test("Claude Code", () => expect(parseInput(JSON.stringify(claude))?.client).toBe("claude"));
  test("Cursor, whose folder is a list of roots", () => {
    const input = parseInput(
      JSON.stringify({
        conversation_id: "c",
        hook_event_name: "sessionStart",
        workspace_roots: ["/w"],
        cursor_version: "3.1",
      }),
    );
    expect(input).toMatchObject({ client: "cursor", session: "c", cwd: "/w" });
  });
  test("nobody that is known", () => {
    for (const text of ["", "null", "[]", "1", '"x"', "{}", "{", '{"session_id":"s"}', '{"hook_event_name":"Stop"}'])
      expect(parseInput(text)).toBeUndefined();
  });
  test("no text makes it throw", () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => void parseInput(text)));
  });
});

describe("a prompt is passed over", () => {
  test.each([
    ["a slash command", { prompt: "/compact and then some words" }],
    ["a shell command", { prompt: "!ls -la in this folder" }],
    ["a short one", { prompt: "yes, go on" }],
    ["an empty one", { prompt: "   " }],
    ["none", {}],
    ["one from a loop", { prompt: "why did we drop the queue?", source: "loop_wakeup" }],
    ["one from a schedule", { prompt: "why did we drop the queue?", source: "schedule_wakeup" }],
    ["one of the program's own", { prompt: "why did we drop the queue?", source: "system" }],
    ["one inside a subagent", { prompt: "why did we drop the queue?", agent_id: "a1" }],
    ["a command's own words", { prompt: "<command-name>/clear</command-name> and more" }],
  ])("%s", (_, fields) => expect(promptOf(inputOf(fields))).toHaveProperty("skip"));
});

describe("a prompt is asked", () => {
  test("as it was typed", () => {
    expect(promptOf(inputOf({ prompt: " why did we drop the queue? ", source: "user" }))).toEqual({
      ask: "why did we drop the queue?",
    });
  });
  test("without what was injected before", () => {
    const block = "<gestalt-notes-0123456789abcdef>\nold\n</gestalt-notes-0123456789abcdef>";
    expect(askable(`why did we ${block}drop it?`)).toEqual({ ask: "why did we drop it?" });
  });
  test("when it is short in signs but not in words", () =>
    expect(askable("为什么我们放弃了队列？")).toHaveProperty("ask"));
  test("by its end when much was pasted before", () => {
    const asked = askable(`${"log line\n".repeat(5000)}why did it stop?`);
    expect("ask" in asked && asked.ask.length).toBe(8000);
    expect("ask" in asked && asked.ask).toEndWith("why did it stop?");
  });
  test("by its last paragraph when the user wants it so", () => {
    expect(queryOf("a\nb\n\nc\nd", "last")).toBe("c\nd");
    expect(queryOf("a\n\nc", "full")).toBe("a\n\nc");
  });
});

describe("a reply takes the shape of its client", () => {
  const context = { kind: "context", text: "T" } as const;
  const cursor = (name: string) =>
    parseInput(JSON.stringify({ conversation_id: "c", hook_event_name: name, cursor_version: "3" }))!;
  const parsed = (text: string): unknown => (text === "" ? "" : JSON.parse(text));

  test("Claude Code: in hookSpecificOutput, under the event's own name", () => {
    expect(parsed(shapeOf(context, inputOf({})))).toEqual({
      suppressOutput: true,
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "T" },
    });
  });
  test("Claude Code: a changed task, without a word on permission", () => {
    expect(parsed(shapeOf({ kind: "input", input: { a: 1 } }, inputOf({ hook_event_name: "PreToolUse" })))).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { a: 1 } },
    });
  });
  test("Claude Code: nothing is nothing", () => expect(shapeOf({ kind: "nothing" }, inputOf({}))).toBe(""));
  test("Cursor: a prompt goes on, with nothing added", () =>
    expect(parsed(shapeOf(context, cursor("beforeSubmitPrompt")))).toEqual({ continue: true }));
  test("Cursor: context at the start and after a tool", () => {
    for (const name of ["sessionStart", "postToolUse"])
      expect(parsed(shapeOf(context, cursor(name)))).toEqual({ additional_context: "T" });
  });
  test("Cursor: no other event takes any", () => {
    for (const name of ["stop", "sessionEnd", "afterFileEdit", "preCompact"])
      expect(shapeOf(context, cursor(name))).toBe("");
  });
});
