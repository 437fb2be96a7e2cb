import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { mostOfRecord, recordOf, recordText, type SessionRecord } from "../../../src/agents/record.ts";
import { keepRecord, recordsOf } from "../../../src/agents/records.ts";
import { masked } from "../../../src/agents/secrets.ts";
import { readIfThere } from "../../../src/agents/state.ts";
import { readTranscript, type Turn } from "../../../src/agents/transcript.ts";
import { temporaryFolder } from "../../door.ts";

const about = { session: "s", project: "/w/app", branch: "main", at: "2026-10-12T10:00:00.000Z" };
const user = (text: string) => ({ type: "user", message: { role: "user", content: text } });
const agent = (...content: object[]) => ({ type: "assistant", message: { role: "assistant", content } });
const says = (text: string) => ({ type: "text", text });
const calls = (name: string, input: object) => ({ type: "tool_use", id: "t", name, input });

function transcript(...lines: readonly unknown[]): readonly Turn[] {
  const file = join(temporaryFolder(), "t.jsonl");
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return readTranscript(file);
}

describe("a transcript", () => {
  test("of Claude Code gives what was said, what was written and what was called", () => {
    expect(
      transcript(
        user("fix the queue"),
        agent(
          says("On it."),
          calls("Edit", { file_path: "/w/app/src/queue.ts", old_string: "a" }),
          calls("Bash", { command: "ls" }),
        ),
      ),
    ).toEqual([
      { kind: "user", text: "fix the queue" },
      { kind: "assistant", text: "On it." },
      { kind: "changed", path: "/w/app/src/queue.ts" },
      { kind: "called", tool: "Bash", input: '{"command":"ls"}' },
    ]);
  });

  test("of Cursor, whose role stands beside the message", () => {
    expect(transcript({ role: "user", message: { content: [says("<user_query>\nfix it\n</user_query>")] } })).toEqual([
      { kind: "user", text: "fix it" },
    ]);
  });

  test("of Cursor gives the files of all its writing tools, under each of their names", () => {
    const given: readonly (readonly [tool: string, key: string])[] = [
      ["Write", "path"],
      ["Write", "target_file"],
      ["write", "file_path"],
      ["StrReplace", "path"],
      ["edit_file", "target_file"],
      ["search_replace", "file_path"],
      ["create_file", "absolute_path"],
      ["EditNotebook", "target_notebook"],
      ["Delete", "path"],
      ["delete_file", "target_file"],
    ];
    const parts = given.map(([tool, key], i) => calls(tool, { [key]: `/w/app/${i}.ts` }));
    const patch = calls("ApplyPatch", { patch: "*** Begin Patch\n*** Update File: p.ts\n*** End Patch" });
    expect(transcript({ role: "assistant", message: { content: [...parts, patch] } })).toEqual([
      ...given.map((_, i) => ({ kind: "changed" as const, path: `/w/app/${i}.ts` })),
      { kind: "changed", path: "p.ts" },
    ]);
  });

  test.each([
    "<timestamp>Monday</timestamp>\n<user_query>why?</user_query>",
    "<open_and_recently_viewed_files>\na.ts\n</open_and_recently_viewed_files><user_query>\nwhy?\n</user_query>",
    "<system_reminder>remember</system_reminder>why?",
    '<ide_selection lines="1-3">code</ide_selection>why?',
    "<bash-input>git status</bash-input><bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>why?",
    "why?<task-notification>a task ended",
    "<teammate-message from='b'>\nhello\n</teammate-message>why?",
  ])("leaves out what a program put into a user's turn: %s", (text) => {
    expect(transcript(user(text))).toEqual([{ kind: "user", text: "why?" }]);
  });

  test("keeps tags that the user wrote", () => {
    const text = "why does <my-button> not show <b>its</b> in <open> and <timestamps>?";
    expect(transcript(user(text))).toEqual([{ kind: "user", text }]);
  });

  test("of Codex, whose calls are items of their own and whose files are written by patches", () => {
    const item = (payload: object) => ({ timestamp: "t", type: "response_item", payload });
    const message = (role: string, type: string, text: string) =>
      item({ type: "message", role, content: [{ type, text }] });
    const patch =
      "*** Begin Patch\n*** Update File: src/queue.ts\n@@\n-a\n+b\n*** Add File: src/table.ts\n+c\n*** End Patch";
    expect(
      transcript(
        { timestamp: "t", type: "session_meta", payload: { id: "x", cwd: "/w/app" } },
        message("user", "input_text", "<environment_context><cwd>/w/app</cwd></environment_context>"),
        message("developer", "input_text", "permissions"),
        message("user", "input_text", "fix the queue"),
        {
          timestamp: "t",
          type: "event_msg",
          payload: { type: "user_message", message: "fix the queue", role: "user" },
        },
        message("assistant", "output_text", "On it."),
        item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "1" }),
        item({ type: "function_call_output", call_id: "1", output: "a" }),
        item({ type: "custom_tool_call", name: "apply_patch", input: patch }),
        item({
          type: "function_call",
          name: "shell",
          arguments: JSON.stringify({
            command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch.replace("table", "job")}\nEOF`],
          }),
        }),
      ),
    ).toEqual([
      { kind: "user", text: "fix the queue" },
      { kind: "assistant", text: "On it." },
      { kind: "called", tool: "shell", input: '{"command":["ls"]}' },
      ...["src/queue.ts", "src/table.ts", "src/queue.ts", "src/job.ts"].map((path) => ({
        kind: "changed" as const,
        path,
      })),
    ]);
  });

  test("of Gemini CLI, one object or a message a line", () => {
    const messages = [
      { id: "1", timestamp: "t", type: "user", content: "fix the queue" },
      {
        id: "2",
        timestamp: "t",
        type: "gemini",
        content: [{ text: "On it." }],
        toolCalls: [
          { id: "a", name: "replace", args: { file_path: "/w/app/src/queue.ts", old_string: "a" }, status: "success" },
          { id: "b", name: "run_shell_command", args: { command: "ls" }, result: [{ functionResponse: {} }] },
        ],
      },
      { id: "3", timestamp: "t", type: "info", content: "Request cancelled." },
    ];
    const turns: readonly Turn[] = [
      { kind: "user", text: "fix the queue" },
      { kind: "assistant", text: "On it." },
      { kind: "changed", path: "/w/app/src/queue.ts" },
      { kind: "called", tool: "run_shell_command", input: '{"command":"ls"}' },
    ];
    expect(transcript(JSON.stringify({ sessionId: "x", projectHash: "y", messages }, null, 2))).toEqual(turns);
    expect(transcript({ sessionId: "x", projectHash: "y" }, ...messages)).toEqual(turns);
  });

  test("leaves out subagents, the program's own lines, tool results, and what was injected", () => {
    expect(
      transcript(
        { ...user("from a subagent"), isSidechain: true },
        { ...user("a note of the program"), isMeta: true },
        { ...user("This session is being continued. We decided much."), isCompactSummary: true },
        { type: "progress", message: { role: "user", content: "from another agent" } },
        { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "out" }] } },
        { type: "summary", summary: "s" },
        user(
          "<system-reminder>remember</system-reminder>why?<gestalt-notes-0123456789abcdef>\nx\n</gestalt-notes-0123456789abcdef>",
        ),
      ),
    ).toEqual([{ kind: "user", text: "why?" }]);
  });

  test("that is broken gives what is whole", () => {
    expect(
      transcript(
        "",
        "{",
        "null",
        '{"message":',
        '{"type":"user","message":{"role":"user","content":{"a":1}}}',
        user("hello"),
        "\0\0",
      ),
    ).toEqual([{ kind: "user", text: "hello" }]);
    expect(readTranscript("/nowhere/t.jsonl")).toEqual([]);
    expect(readTranscript(temporaryFolder())).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("that is a pipe is not waited for", () => {
    const file = join(temporaryFolder(), "pipe");
    expect(Bun.spawnSync(["mkfifo", file]).exitCode).toBe(0);
    expect(readTranscript(file)).toEqual([]);
    expect(readIfThere(file)).toBeUndefined();
  });

  test("of many megabytes gives its beginning and its end", () => {
    const turns = transcript(
      user("the first question of all"),
      ...Array.from({ length: 60 }, () => user("x".repeat(100_000))),
      user("the last question of all"),
    );
    expect(turns.at(0)).toEqual({ kind: "user", text: "the first question of all" });
    expect(turns.at(-1)).toEqual({ kind: "user", text: "the last question of all" });
  });
});

describe("a session leaves behind", () => {
  const turns: readonly Turn[] = [
    { kind: "user", text: "Please replace the retry queue with a job table in Postgres.\n\nHere is the log: …" },
    {
      kind: "assistant",
      text: "I looked at it. We decided to use SKIP LOCKED instead of advisory locks, since workers die. The sky is blue today.",
    },
    { kind: "changed", path: "/w/app/src/jobs.ts" },
    { kind: "changed", path: "/w/app/src/jobs.ts" },
    { kind: "changed", path: "/etc/hosts" },
    { kind: "user", text: "yes, go on" },
    { kind: "user", text: "From now on never delete finished jobs, mark them instead." },
    {
      kind: "assistant",
      text: "Done.\n\n```ts\n// TODO: not a sentence of the talk\n```\n\n- [ ] The migration for old rows is still missing.\n- Tests pass.",
    },
  ];
  const record = recordOf(turns, about)!;

  test("what was asked, without the small talk", () => {
    expect(record.asked).toEqual([
      "Please replace the retry queue with a job table in Postgres.",
      "From now on never delete finished jobs, mark them instead.",
    ]);
  });
  test("the files that were changed, each once, as the project calls them", () => {
    expect(record.changed).toEqual(["/etc/hosts", "src/jobs.ts"]);
  });
  test("the sentences of decisions, and no others", () => {
    expect(record.decided).toEqual([
      "We decided to use SKIP LOCKED instead of advisory locks, since workers die.",
      "From now on never delete finished jobs, mark them instead.",
    ]);
  });
  test("the open points of the last answers, and no code", () => {
    expect(record.open).toEqual(["The migration for old rows is still missing."]);
  });
  test("nothing when nothing was asked", () => {
    expect(
      recordOf(
        [
          { kind: "user", text: "/clear" },
          { kind: "user", text: "[Request interrupted by user]" },
          { kind: "assistant", text: "We decided to wait." },
        ],
        about,
      ),
    ).toBeUndefined();
  });
  test("no secret", () => {
    const said = recordOf([{ kind: "user", text: "Use the password: hunter2 to log in to the server." }], about);
    expect(said?.asked).toEqual([`Use the password: ${masked} to log in to the server.`]);
  });
  test("in time that grows with the length alone, whatever was pasted", () => {
    for (const part of ["a+", "secret-", "\n", " ", "We decided <user", "x"])
      recordOf(
        ["user", "assistant"].map((kind) => ({ kind, text: part.repeat(1_000_000) }) as Turn),
        about,
      );
  });
  test("no more than two thousand characters of texts, and always the first request", () => {
    const turn = fc.record({
      kind: fc.constantFrom("user" as const, "assistant" as const),
      text: fc
        .array(fc.constantFrom("We decided to do ", "it is still missing. ", "word ", "x".repeat(300), "\n"), {
          maxLength: 60,
        })
        .map((parts) => parts.join("")),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 30 }), (turns) => {
        const record = recordOf([{ kind: "user", text: "the first request of this session" }, ...turns], about)!;
        const { asked, changed, decided, open } = record;
        expect([asked, changed, decided, open].flat().join("").length).toBeLessThanOrEqual(mostOfRecord);
        expect(asked[0]).toBe("the first request of this session");
      }),
      { numRuns: 50 },
    );
  });
  test("a text that a person can read", () => {
    expect(recordText({ ...record, decided: [], open: [] })).toBe(
      [
        "Session of 2026-10-12 on main",
        "Asked:",
        "- Please replace the retry queue with a job table in Postgres.",
        "- From now on never delete finished jobs, mark them instead.",
        "Changed: /etc/hosts, src/jobs.ts",
      ].join("\n"),
    );
  });
});

test("records are found by their project, newest first, and a broken one is passed over", () => {
  const state = { folder: temporaryFolder() };
  const record = (session: string, project: string, at: string): SessionRecord => ({
    session,
    project,
    at,
    branch: undefined,
    asked: ["a"],
    changed: [],
    decided: [],
    open: [],
  });
  keepRecord(state, record("old", "/w/app", "2026-10-01T00:00:00Z"));
  keepRecord(state, record("new", "/w/app", "2026-10-02T00:00:00Z"));
  keepRecord(state, record("other", "/w/else", "2026-10-03T00:00:00Z"));
  writeFileSync(join(state.folder, "records", "broken.json"), "{");
  expect(recordsOf(state, "/w/app").map(({ session }) => session)).toEqual(["new", "old"]);
  expect(recordsOf(state)).toHaveLength(3);
});
