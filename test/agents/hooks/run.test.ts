import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeFaults } from "../../../src/agents/faults.ts";
import type { EventName } from "../../../src/agents/hooks/events.ts";
import { events } from "../../../src/agents/hooks/events.ts";
import { everySession, openLedger, reset } from "../../../src/agents/ledger.ts";
import { recordsOf } from "../../../src/agents/records.ts";
import { GestaltError } from "../../../src/errors.ts";
import { temporaryFolder } from "../../door.ts";
import { contextIn, fire, section, served } from "./context.ts";
import { harmless, malformed } from "./malformed.ts";

const base = { session_id: "s1", transcript_path: "/none", cwd: "/home/ada/app" };
const prompt = (text: string, more: object = {}) => ({
  ...base,
  hook_event_name: "UserPromptSubmit",
  prompt: text,
  ...more,
});
const question = "why did we drop the retry queue?";
const fresh = () => ({ folder: temporaryFolder() });
const eventNames = Object.keys(events) as EventName[];

describe("the prompt hook", () => {
  test("puts the sections that answer before the agent", async () => {
    const reply = await fire(fresh(), "prompt", prompt(question), {
      recall: async () => served(section("queue", "It lost jobs.")),
    });
    expect(contextIn(reply)).toContain("[1] queue.md:1-2 > queue (2026-10-01");
    expect(contextIn(reply)).toContain("\nIt lost jobs.\n");
  });
  test("is silent when nothing fits, and asks nothing for prompts that are passed over", async () => {
    expect(await fire(fresh(), "prompt", prompt(question))).toBe("");
    let asked = 0;
    const recall = async () => {
      asked++;
      return served(section("a", "b"));
    };
    for (const input of [
      prompt("/help me with this"),
      prompt("ok"),
      prompt(question, { source: "loop_wakeup" }),
      prompt(question, { agent_id: "a" }),
    ])
      expect(await fire(fresh(), "prompt", input, { recall })).toBe("");
    expect(asked).toBe(0);
  });
  test("leaves out what fits far less than the best", async () => {
    const recall = async () => served(section("good", "good text"), section("bad", "bad text", { fit: 0.2 }));
    const text = contextIn(await fire(fresh(), "prompt", prompt(question), { recall }));
    expect(text).toContain("good text");
    expect(text).not.toContain("bad");
  });
  test("keeps to its budget", async () => {
    const recall = async () => served(...Array.from({ length: 8 }, (_, i) => section(`note${i}`, "word ".repeat(150))));
    for (const budget of [200, 1000, 9500])
      expect(
        contextIn(await fire(fresh(), "prompt", prompt(question), { recall }, { "hook-budget": budget })).length,
      ).toBeLessThanOrEqual(budget);
  });
  test("never says the same twice, until the context is cut down", async () => {
    const state = fresh();
    const recall = async () => served(section("queue", "It lost jobs."));
    const ask = async () => contextIn(await fire(state, "prompt", prompt(question), { recall }));
    expect(await ask()).toContain("It lost jobs.");
    expect(await ask()).toBe("");
    await fire(state, "compacted", { ...base, hook_event_name: "PostCompact", trigger: "auto" });
    expect(await ask()).toContain("It lost jobs.");
  });
  test("says nothing to Cursor but that the prompt may go", async () => {
    const input = {
      conversation_id: "c",
      cursor_version: "3",
      hook_event_name: "beforeSubmitPrompt",
      prompt: question,
      workspace_roots: ["/w"],
    };
    expect(await fire(fresh(), "prompt", input, { recall: async () => served(section("a", "b")) })).toEqual({
      continue: true,
    });
  });
  test("writes addresses and hashes down, and the prompt's words only when asked to", async () => {
    const recall = async () => served(section("queue", "It lost jobs."));
    const log = async (more: object) => {
      const state = fresh();
      await fire(state, "prompt", prompt(question), { recall }, more);
      return readFileSync(join(state.folder, "sessions", "s1.jsonl"), "utf8");
    };
    expect(await log({})).toContain("queue.md#part");
    expect(await log({})).not.toMatch(/retry|lost jobs/);
    expect(await log({ "hits-log-text": true })).toContain(question);
    expect(await log({ "hits-log": false })).not.toContain("queue.md");
  });
});

describe("at the start of a session", () => {
  const start = (cwd: string, source = "startup") => ({
    ...base,
    cwd,
    session_id: "s2",
    hook_event_name: "SessionStart",
    source,
  });
  function project(): string {
    const root = temporaryFolder();
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/feature/job-table\n");
    writeFileSync(join(root, "README.md"), "# Billing service\n\n[![badge](x)](y)\n\nSends invoices.\n");
    return root;
  }

  test("nothing is said when there is nothing to say", async () => {
    expect(await fire(fresh(), "session-start", start(project()))).toBe("");
  });
  test("the project is searched for by its name, README, branch and newest files", async () => {
    const asked: string[] = [];
    await fire(fresh(), "session-start", start(project()), {
      recall: async (query) => {
        asked.push(query);
        return undefined;
      },
    });
    expect(asked[0]).toContain("Billing service");
    expect(asked[0]).toContain("Sends invoices.");
    expect(asked[1]).toContain("feature job table");
  });
  test("Cursor is told by a rule where it was set up, and else by the answer", async () => {
    const root = project();
    const state = fresh();
    const begin = { conversation_id: "k1", hook_event_name: "sessionStart", workspace_roots: [root] };
    const rule = join(root, ".cursor/rules/gestalt-context.mdc");
    const recall = async () => served(section("queue", "It lost jobs."));
    const say = (session: string, notes: Parameters<typeof fire>[3] = { recall }) =>
      fire(state, "session-start", { ...begin, conversation_id: session }, notes);
    expect(contextIn(await say("k1"))).toContain("It lost jobs.");
    expect(existsSync(join(root, ".cursor"))).toBe(false);

    mkdirSync(join(root, ".cursor"));
    writeFileSync(join(root, ".cursor/gestalt-sync.json"), "{}");
    expect(await say("k2", {})).toBe("");
    expect(existsSync(rule)).toBe(false);
    expect(await say("k3")).toBe("");
    expect(readFileSync(rule, "utf8")).toContain("It lost jobs.");
    // The same session begins again: it has nothing new, and the rule says what it said.
    expect(await say("k3")).toBe("");
    expect(readFileSync(rule, "utf8")).toContain("It lost jobs.");
    expect(await say("k4", {})).toBe("");
    expect(existsSync(rule)).toBe(false);
    await say("k5");
    openLedger(state, everySession).add({ kind: "off", at: "" });
    expect(await say("k6")).toBe("");
    expect(existsSync(rule)).toBe(false);
  });
  test("an index that is missing is asked for in the background", async () => {
    let prepared = 0;
    await fire(fresh(), "session-start", start(project()), { catchUp: async () => false, prepare: () => prepared++ });
    expect(prepared).toBe(1);
  });
  test("what the last session in the project left is told, and of no other project", async () => {
    const state = fresh();
    const root = project();
    const file = join(temporaryFolder(), "t.jsonl");
    writeFileSync(
      file,
      JSON.stringify({
        type: "user",
        message: { role: "user", content: "Move the invoices to the job table, please." },
      }),
    );
    await fire(state, "stop", { ...base, cwd: root, transcript_path: file, hook_event_name: "Stop" });
    expect(recordsOf(state)).toHaveLength(1);
    const text = contextIn(await fire(state, "session-start", start(root)));
    expect(text).toContain("An earlier session in this project (");
    expect(text).toContain("- Move the invoices to the job table, please.");
    expect(text).toContain("gestalt search WORDS");
    expect(await fire(state, "session-start", start(project()))).toBe("");
  });
  test("no record is kept when the user wants none", async () => {
    const state = fresh();
    const file = join(temporaryFolder(), "t.jsonl");
    writeFileSync(
      file,
      JSON.stringify({ type: "user", message: { role: "user", content: "Move the invoices to the job table." } }),
    );
    await fire(
      state,
      "stop",
      { ...base, transcript_path: file, hook_event_name: "Stop" },
      {},
      { "session-records": false },
    );
    expect(recordsOf(state)).toEqual([]);
  });
  test("after a compaction the addresses of what was shown before are told again", async () => {
    const state = fresh();
    await fire(state, "prompt", prompt(question, { session_id: "s2" }), {
      recall: async () => served(section("queue", "It lost jobs.")),
    });
    const text = contextIn(await fire(state, "session-start", start(project(), "compact")));
    expect(text).toContain("Recalled before the compaction (open again with gestalt_read):\n- queue.md#part");
    expect(text).not.toContain("It lost jobs.");
  });
  test("the addresses are told also when the client has told of the compaction already, but not beside their text", async () => {
    const state = fresh();
    const recall = async () => served(section("queue", "It lost jobs."), section("mail", "It waits."));
    await fire(state, "prompt", prompt(question, { session_id: "s2" }), { recall });
    await fire(state, "compacted", { ...base, session_id: "s2", hook_event_name: "PostCompact", trigger: "auto" });
    const text = contextIn(
      await fire(state, "session-start", start(project(), "compact"), {
        recall: async () => served(section("queue", "It lost jobs.")),
      }),
    );
    expect(text).toContain("It lost jobs.");
    expect(text).toContain("(open again with gestalt_read):\n- mail.md#part\n\n");
  });
});

describe("a subagent's task", () => {
  const task = {
    description: "Audit",
    prompt: "Find every retry path in the code base.",
    subagent_type: "general-purpose",
  };
  const input = { ...base, hook_event_name: "PreToolUse", tool_name: "Task", tool_input: task };
  const recall = async () => served(section("queue", "It lost jobs."));

  test("gets addresses at its end, and keeps every other field", async () => {
    const reply = await fire(fresh(), "subagent", input, { recall });
    expect(reply).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { ...task, prompt: expect.any(String) } },
    });
    expect(contextIn(reply)).toStartWith(`${task.prompt}\n\n<gestalt-notes-`);
    expect(contextIn(reply)).toContain("- queue.md#part (queue)");
    expect(contextIn(reply)).not.toContain("It lost jobs.");
  });
  test("stays as it is for other tools, and when nothing fits", async () => {
    expect(await fire(fresh(), "subagent", { ...input, tool_name: "Bash" }, { recall })).toBe("");
    expect(await fire(fresh(), "subagent", input)).toBe("");
  });
  test("does not use up what the agent itself may be shown", async () => {
    const state = fresh();
    await fire(state, "subagent", input, { recall });
    expect(contextIn(await fire(state, "prompt", prompt(question), { recall }))).toContain("It lost jobs.");
  });
});

describe("after a file was touched", () => {
  const about = async (file: string) =>
    file === "/home/ada/app/src/queue.ts" ? [section("queue", "It lost jobs.")] : [];
  const input = {
    ...base,
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: "src/queue.ts" },
  };

  test("the notes that name it are put before the agent, once", async () => {
    const state = fresh();
    expect(contextIn(await fire(state, "file", input, { about }))).toContain("It lost jobs.");
    expect(await fire(state, "file", input, { about })).toBe("");
  });
  test("Cursor is told in its own way", async () => {
    const cursor = {
      conversation_id: "c",
      cursor_version: "3",
      workspace_roots: ["/home/ada/app"],
      hook_event_name: "postToolUse",
      tool_name: "Read",
      tool_input: { target_file: "src/queue.ts" },
    };
    expect(await fire(fresh(), "post-tool", cursor, { about })).toEqual({
      additional_context: expect.stringContaining("It lost jobs."),
    });
  });
  test("what the tool was given may be text", async () => {
    const said = await fire(fresh(), "file", { ...input, tool_input: JSON.stringify(input.tool_input) }, { about });
    expect(contextIn(said)).toContain("It lost jobs.");
  });
  test.each(["Delete", "delete_file"])("nothing is said of what %s has taken away", async (tool_name) => {
    expect(await fire(fresh(), "file", { ...input, tool_name }, { about })).toBe("");
  });
  test("nothing is said of other tools and other files", async () => {
    expect(await fire(fresh(), "file", { ...input, tool_name: "Bash" }, { about })).toBe("");
    expect(await fire(fresh(), "file", { ...input, tool_input: { file_path: "x.ts" } }, { about })).toBe("");
  });
});

test("at a stop, the sections that the agent opened or named are noted by their address", async () => {
  const state = fresh();
  await fire(state, "prompt", prompt(question), {
    recall: async () => served(section("area/queue", "It lost jobs."), section("area/other", "Other.")),
  });
  const file = join(temporaryFolder(), "t.jsonl");
  const turn = {
    type: "assistant",
    message: {
      role: "assistant",
      content: [{ type: "tool_use", name: "mcp__gestalt__gestalt_read", input: { address: "area/queue.md#part" } }],
    },
  };
  writeFileSync(file, JSON.stringify(turn));
  await fire(state, "stop", { ...base, transcript_path: file, hook_event_name: "Stop" });
  await fire(state, "stop", { ...base, transcript_path: file, hook_event_name: "Stop" });
  const used = openLedger(state, "s1")
    .entries()
    .filter(({ kind }) => kind === "used");
  expect(used).toMatchObject([{ ids: ["area/queue.md#part"] }]);
});

test.each([
  ["area/queue.md#one", ["area/queue.md#one"]],
  ["see area/queue.md#^two.", ["area/queue.md#two"]],
  ["area/queue.md:12-14", ["area/queue.md#two"]],
  ["area/queue.md", ["area/queue.md#one", "area/queue.md#two"]],
  ["queue.md#Some-heading", ["area/queue.md#one", "area/queue.md#two"]],
  ["area/queue.md:90", []],
])("of a note's sections those count that are named: %s", async (named, ids) => {
  const state = fresh();
  const part = (id: string, start: number) =>
    section("area/queue", id, { id: `area/queue.md#${id}`, start, end: start + 4, hash: "h" });
  await fire(state, "prompt", prompt(question), { recall: async () => served(part("one", 5), part("two", 10)) });
  const file = join(temporaryFolder(), "t.jsonl");
  const content = [{ type: "text", text: `It is in ${named}` }];
  writeFileSync(file, JSON.stringify({ type: "assistant", message: { role: "assistant", content } }));
  await fire(state, "stop", { ...base, transcript_path: file, hook_event_name: "Stop" });
  const used = openLedger(state, "s1").entries();
  expect(used.flatMap((entry) => (entry.kind === "used" ? entry.ids : []))).toEqual(ids);
});

const rule = "A job is put back with a delay that doubles after each failure.";
const chinese = "任务失败后会按照加倍的延迟时间重新放回队列中等待下一次执行。";
const hindi = "यह परीक्षण सर्वर की जाँच करने के लिए किया जाता है";
test.each([
  [rule, "put back with a delay that doubles after each failure", true],
  [rule, "I kept it: **Put back** with a\ndelay that doubles after each failure.", true],
  [rule, "put back with a delay that grows after each failure", false],
  [rule, "all else", false],
  [chinese, "笔记里说:按照加倍的延迟时间重新放回队列中等待下一次执行", true],
  [chinese, "重新放回队列中", false],
  [hindi, `"${hindi}"`, true],
  [hindi, "रात का खाना बनाने के लिए किया जाता है", false],
  ["| 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |", "[0,0,0,0,0,0,0,0,0]", false],
  ["2026-01-01T10:00:00Z to 2026-01-01T11:00:00Z", "2026-01-01T10:00:00Z to 2026-01-01T11:00:00Z", false],
])("a run of words counts as use: of %s in %s", async (of, text, isUse) => {
  const state = fresh();
  const shown = [section("area/queue", of), section("b", "")];
  await fire(state, "prompt", prompt(question), { recall: async () => served(...shown) });
  const file = join(temporaryFolder(), "t.jsonl");
  const content = [{ type: "text", text }];
  writeFileSync(file, JSON.stringify({ type: "assistant", message: { role: "assistant", content } }));
  const texts = async (asked: readonly string[]) =>
    new Map(shown.filter(({ id }) => asked.includes(id)).map(({ id, text }) => [id, text]));
  await fire(state, "stop", { ...base, transcript_path: file, hook_event_name: "Stop" }, { texts });
  const used = openLedger(state, "s1").entries();
  expect(used.flatMap((entry) => (entry.kind === "used" ? entry.ids : []))).toEqual(
    isUse ? ["area/queue.md#part"] : [],
  );
});

describe("a hook never stands in the way", () => {
  test.each(eventNames.flatMap((event) => events[event].names.map((name): [EventName, string] => [event, name])))(
    "%s, as %s: of a hundred broken inputs none is answered or makes it fail",
    async (event, name) => {
      const state = fresh();
      const inputs = malformed(name);
      expect(inputs.length).toBeGreaterThanOrEqual(100);
      for (const input of inputs) {
        const said = await fire(state, event, input);
        if (!harmless.has(said === "" ? "" : JSON.stringify(said))) expect([input.slice(0, 80), said]).toEqual([]);
      }
      expect(takeFaults(state)).toEqual([]);
    },
  );
  test("an error is silence, and is told once to who asks", async () => {
    const state = fresh();
    const recall = async () => {
      throw new Error("disk on fire");
    };
    expect(await fire(state, "prompt", prompt(question), { recall })).toBe("");
    expect(await fire(state, "prompt", prompt(question), { recall })).toBe("");
    expect(takeFaults(state)).toEqual([expect.stringContaining("hook prompt: disk on fire (2 times")]);
    expect(takeFaults(state)).toEqual([]);
  });
  test("where there are no notes is no fault", async () => {
    const state = fresh();
    const recall = async () => {
      throw new GestaltError("no-vault", "no notes", "");
    };
    expect(await fire(state, "prompt", prompt(question), { recall })).toBe("");
    expect(takeFaults(state)).toEqual([]);
  });
  test("an answer that comes too late is none", async () => {
    const state = fresh();
    expect(
      await fire(
        state,
        "file",
        { ...base, hook_event_name: "PostToolUse", tool_name: "Read", tool_input: { file_path: "a" } },
        { about: () => new Promise(() => {}) },
      ),
    ).toBe("");
    expect(takeFaults(state)).toEqual([expect.stringContaining("took longer")]);
  });
  test("a state folder that cannot be written is silence", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect(
      await fire({ folder: file }, "prompt", prompt(question), { recall: async () => served(section("a", "b")) }),
    ).toBe("");
  });
  test("a session that is off hears nothing", async () => {
    const state = fresh();
    openLedger(state, everySession).add({ kind: "off", at: "" });
    expect(await fire(state, "prompt", prompt(question), { recall: async () => served(section("a", "b")) })).toBe("");
  });
});

test("thirty prompts of one session, with a compaction: no section is shown twice between two cuts", async () => {
  const state = fresh();
  const notes = Array.from({ length: 12 }, (_, i) => section(`note${i}`, `Text number ${i}.`));
  const seen: string[] = [];
  for (let turn = 0; turn < 30; turn++) {
    if (turn === 17) {
      reset(openLedger(state, "s1"), "compact", new Date(Date.now() + 120_000));
      expect(new Set(seen).size).toBe(seen.length);
      seen.length = 0;
    }
    const recall = async () => served(...[0, 1, 2, 3, 4].map((k) => notes[(turn * 2 + k) % 12]!));
    const text = contextIn(await fire(state, "prompt", prompt(`${question} (${turn})`), { recall }));
    seen.push(...[...text.matchAll(/Text number \d+\./g)].map(([found]) => found));
  }
  expect(seen.length).toBeGreaterThan(5);
  expect(new Set(seen).size).toBe(seen.length);
});
