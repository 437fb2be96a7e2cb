import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { events } from "../../../src/agents/hooks/events.ts";
import { type Door, openDoor, type Said } from "../../door.ts";
import { contextIn } from "./context.ts";

let door: Door;
const hook = (event: string, input: unknown, env: Record<string, string> = {}): Promise<Said> =>
  door.run(["hook", event], {
    stdin: typeof input === "string" ? input : JSON.stringify(input),
    env,
  });
const asked = (prompt: string, session: string) => ({
  session_id: session,
  transcript_path: "/none",
  cwd: door.notes,
  hook_event_name: "UserPromptSubmit",
  prompt,
  source: "user",
});
const contextOf = async (said: Promise<Said>): Promise<string> =>
  contextIn((await said).stdout === "" ? "" : JSON.parse((await said).stdout));

const queue = `---
created: 2026-08-03
paths: ["src/queue/**"]
---
# Why the retry queue went away

## Decision ^d1

We dropped the Redis retry queue because it lost jobs when a worker died. A job table in Postgres replaced it.

<!-- nobody sees this sentence -->
`;

beforeAll(async () => {
  door = await openDoor();
  door.write("knowledge/decisions/queue.md", queue);
  door.write(
    "knowledge/deploy.md",
    "# Deploying the billing service\n\nPush a tag. Ask Marta before production. Password: hunter2\n",
  );
  door.write(
    "knowledge/pay.md",
    "---\nsensitivity: restricted\n---\n# Pay of the retry queue team\n\nWhy we dropped the retry queue: pay bands.\n",
  );
  expect((await door.run(["index", "--lexical", "--gate"])).code).toBe(0);
}, 120_000);

describe("the prompt hook", () => {
  test("answers a question from the notes, with where it stands and how old it is", async () => {
    const said = await hook("prompt", asked("why did we drop the retry queue?", "a1"));
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const text = contextIn(JSON.parse(said.stdout));
    expect(text).toMatch(/decisions\/queue\.md:7-\d+ > Why the retry queue went away > Decision \(2026-08-03, /);
    expect(text).toContain("A job table in Postgres replaced it.");
    expect(text).not.toContain("nobody sees");
    expect(text).not.toContain("pay bands");
  });
  test("masks a password", async () => {
    const text = await contextOf(hook("prompt", asked("who do I ask before deploying billing to production?", "a2")));
    expect(text).toContain("Ask Marta before production. Password: [secret removed]");
  });
  test.each([
    "run the tests and fix the lint errors",
    "what is the capital of Australia?",
    "yes please, go on with that",
    "führe bitte die Tests noch einmal aus",
  ])("is silent on: %s", async (prompt) =>
    expect(await hook("prompt", asked(prompt, "a3"))).toEqual({ code: 0, stdout: "", stderr: "" }),
  );
  test("is silent where there are no notes, and calls it no fault", async () => {
    const said = await door.run(["hook", "prompt"], {
      stdin: JSON.stringify({ ...asked("why did we drop the retry queue?", "a4"), cwd: door.home }),
      cwd: door.home,
    });
    expect(said).toEqual({ code: 0, stdout: "", stderr: "" });
  });
  test("builds no index where there is none", async () => {
    const db = join(door.home, "new.db");
    expect((await hook("prompt", asked("why did we drop the retry queue?", "a5"), { GESTALT_DB: db })).stdout).toBe("");
    expect(existsSync(db)).toBe(false);
  });
  test("shows a note as it is on disk now, and never one that is gone or was made restricted since", async () => {
    const file = door.write("knowledge/late.md", "# Umbrella stand\n\nThe umbrella stand is green.\n");
    await door.run(["index", "--lexical"]);
    const ask = (session: string) => contextOf(hook("prompt", asked("what colour is the umbrella stand?", session)));
    expect(await ask("b1")).toContain("stand is green");
    writeFileSync(file, "# Umbrella stand\n\nThe umbrella stand is blue now.\n");
    expect(await ask("b2")).toContain("stand is blue");
    writeFileSync(file, "---\nsensitivity: restricted\n---\n# Umbrella stand\n\nThe umbrella stand is red now.\n");
    expect(await ask("b3")).toBe("");
    rmSync(file);
    expect(await ask("b4")).toBe("");
  });
  test("with a broken index or a bad setting is silent", async () => {
    const db = join(door.home, "broken.db");
    writeFileSync(db, "this is no database at all, by no means");
    for (const env of [{ GESTALT_DB: db }, { GESTALT_HOOK_GATE: "much" }, { GESTALT_STATE_DIR: db }] as Record<
      string,
      string
    >[])
      expect(await hook("prompt", asked("why did we drop the retry queue?", "a6"), env)).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      });
  });
});

test("every event in turn: one session from its start to its end", async () => {
  door.write("app/.git/HEAD", "ref: refs/heads/main\n");
  door.write("app/README.md", "# Retry queue\n\nThe retry queue and the job table in Postgres.\n");
  const app = join(door.notes, "app");
  const transcript = door.write(
    "t.jsonl",
    `${JSON.stringify({ type: "user", message: { role: "user", content: "Please move the billing jobs to the new table." } })}\n`,
  );
  const base = { session_id: "d1", transcript_path: transcript, cwd: app };
  const start = { ...base, hook_event_name: "SessionStart", source: "startup" };

  expect(await contextOf(hook("session-start", start))).toContain("A job table in Postgres replaced it.");
  // It was shown at the start already.
  expect(
    await contextOf(hook("prompt", { ...asked("why did we drop the retry queue?", "d1"), cwd: app })),
  ).not.toContain("A job table in Postgres");
  const task = {
    description: "x",
    prompt: "Find out why we dropped the retry queue.",
    subagent_type: "general-purpose",
  };
  const changed = await hook("subagent", {
    ...base,
    hook_event_name: "PreToolUse",
    tool_name: "Agent",
    tool_input: task,
  });
  expect(JSON.parse(changed.stdout).hookSpecificOutput.updatedInput.prompt).toContain("decisions/queue.md#d1");
  const touched = {
    ...base,
    session_id: "d2",
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: join(app, "src/queue/pop.ts") },
  };
  expect(await contextOf(hook("file", touched))).toContain("A job table in Postgres replaced it.");
  expect(await hook("compacted", { ...base, hook_event_name: "PostCompact", trigger: "auto" })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(await contextOf(hook("prompt", { ...asked("why did we drop the retry queue?", "d1"), cwd: app }))).toContain(
    "A job table in Postgres",
  );
  for (const [event, name] of [
    ["stop", "Stop"],
    ["session-end", "SessionEnd"],
  ] as const)
    expect(await hook(event, { ...base, hook_event_name: name })).toEqual({ code: 0, stdout: "", stderr: "" });

  expect((await door.run(["sessions", "list"])).stdout).toContain("Please move the billing jobs to the new table.");
  expect((await door.run(["sessions", "show", "d1"])).stdout).toContain(
    "- Please move the billing jobs to the new table.",
  );
  expect(await contextOf(hook("session-start", { ...start, session_id: "d3" }))).toContain(
    "Please move the billing jobs",
  );
  expect((await door.run(["injections", "--session", "d1"])).stdout).toContain("decisions/queue.md#d1");
  expect((await door.run(["injections", "--report", "--json"])).stdout).toContain('"injections":');
  expect((await door.run(["sessions", "forget", "d1"])).code).toBe(0);
  expect((await door.run(["sessions", "show", "d1"])).code).toBe(1);
}, 60_000);

test("Cursor's sessions keep a rule up to date, in a project that was set up for it alone", async () => {
  const begin = (session: string) => ({
    conversation_id: session,
    cursor_version: "3.1",
    hook_event_name: "sessionStart",
    session_id: session,
    composer_mode: "agent",
    workspace_roots: [join(door.notes, "shop")],
  });
  door.write("shop/.git/HEAD", "ref: refs/heads/main\n");
  door.write("shop/README.md", "# Retry queue\n\nThe retry queue and the job table in Postgres.\n");
  const rule = join(door.notes, "shop/.cursor/rules/gestalt-context.mdc");
  expect(contextIn(JSON.parse((await hook("session-start", begin("f1"))).stdout))).toContain("A job table in Postgres");
  expect(existsSync(join(door.notes, "shop/.cursor"))).toBe(false);
  expect((await door.run(["install", "cursor", "--yes"], { cwd: join(door.notes, "shop") })).code).toBe(0);
  expect(await hook("session-start", begin("f2"))).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(rule, "utf8")).toContain("A job table in Postgres");
  expect(readFileSync(join(door.notes, "shop/.git/info/exclude"), "utf8")).toContain("gestalt-context.mdc");
  expect((await door.run(["uninstall", "cursor", "--yes"], { cwd: join(door.notes, "shop") })).code).toBe(0);
  expect(existsSync(rule)).toBe(false);
}, 60_000);

test("an index that was never measured is measured in the background when a session starts", async () => {
  const env = { GESTALT_DB: join(door.home, "unmeasured.db") };
  expect((await door.run(["index", "--lexical"], { env })).code).toBe(0);
  const ask = (i: number) => contextOf(hook("prompt", asked("why did we drop the retry queue?", `g${i}`), env));
  expect(await ask(0)).toBe("");
  const start = { session_id: "g", cwd: door.notes, hook_event_name: "SessionStart", source: "startup" };
  expect(await hook("session-start", start, env)).toMatchObject({ code: 0, stderr: "" });
  let text = "";
  for (let i = 1; i < 50 && text === ""; i++) {
    await Bun.sleep(200);
    text = await ask(i);
  }
  expect(text).toContain("A job table in Postgres");
}, 60_000);

test("a session that was switched off hears nothing, until it is switched on", async () => {
  const ask = () => contextOf(hook("prompt", asked("why did we drop the retry queue?", "e1")));
  expect((await door.run(["off"])).code).toBe(1);
  expect((await door.run(["off"], { env: { CLAUDE_CODE_SESSION_ID: "e1" } })).code).toBe(0);
  expect(await ask()).toBe("");
  expect((await door.run(["on", "--session", "e1"])).code).toBe(0);
  expect(await ask()).not.toBe("");
});

test("an event that is not known, and a caller that never closes stdin, do not keep a hook", async () => {
  expect(await hook("no-such-event", "{}")).toMatchObject({ code: 0, stdout: "" });
  const child = door.spawn(["hook", "prompt"]);
  expect(await child.exited).toBe(0);
  child.stdin.end();
}, 20_000);

test("the manifests register the events of the table under the clients' own names, with time to spare", () => {
  const known = new Map<string, { readonly names: readonly string[]; readonly deadline: number }>(
    Object.entries(events),
  );
  for (const client of ["claude", "codex", "cursor", "gemini"]) {
    const { hooks } = JSON.parse(readFileSync(join(import.meta.dir, `../../../hooks/${client}.json`), "utf8"));
    for (const [name, entries] of Object.entries<unknown[]>(hooks))
      for (const [, rest, timeout] of JSON.stringify(entries).matchAll(
        /(?:"args":\["hook",|gestalt hook )"?([\w-]+)[^}]*"timeout":(\d+)/g,
      )) {
        const event = known.get(rest ?? "");
        expect([client, name, event?.names]).toEqual([client, name, expect.arrayContaining([name])]);
        // A third is left for the process to start and to end. Gemini CLI counts in milliseconds.
        const milliseconds = Number(timeout) * (client === "gemini" ? 1 : 1000);
        expect(event?.deadline).toBeLessThanOrEqual((milliseconds * 2) / 3);
      }
  }
});

test("a hundred hooks of one session at once all end well, and show each section once", async () => {
  const all = await Promise.all(
    Array.from({ length: 100 }, () => hook("prompt", asked("why did we drop the retry queue?", "crowd"))),
  );
  for (const said of all) expect({ ...said, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
  const shown = all.filter(({ stdout }) => stdout.includes("A job table in Postgres replaced it."));
  expect(shown.length).toBeLessThanOrEqual(1);
}, 120_000);

test("the warm process answers by meaning once it is there; before that, and after it was killed, words do", async () => {
  const env = { GESTALT_SERVE: "on", GESTALT_HOOK_SEMANTIC_MS: "900" };
  const ask = async (session: string) => {
    expect(await contextOf(hook("prompt", asked("why did we drop the retry queue?", session), env))).toContain(
      "Postgres",
    );
    return (await door.run(["injections", "--session", session])).stdout;
  };
  try {
    expect(await ask("w0")).toContain("(lexical, words");
    let said = "";
    for (let i = 1; i < 60 && !said.includes("hybrid, cosine"); i++) {
      said = await ask(`w${i}`);
      await Bun.sleep(250);
    }
    expect(said).toContain("hybrid, cosine");
    const status = JSON.parse((await door.run(["serve", "--status", "--json"])).stdout);
    process.kill(status.pid, "SIGKILL");
    expect(await ask("after")).toMatch(/\((?:lexical|consensus), words/);
  } finally {
    await Bun.sleep(500);
    await door.run(["serve", "--stop"]);
  }
}, 120_000);

test("what the agent has read over MCP in the same session is not put before it again", async () => {
  const env = { CLAUDE_CODE_SESSION_ID: "m1" };
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "gestalt_read", arguments: { address: "decisions/queue.md#d1" } },
  };
  const lines = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    call,
  ].map((line) => `${JSON.stringify(line)}\n`);
  const said = await door.run(["mcp"], { stdin: lines.join(""), env });
  expect(said.stdout).toContain("A job table in Postgres replaced it.");
  expect(await contextOf(hook("prompt", asked("why did we drop the retry queue?", "m1")))).not.toContain(
    "A job table in Postgres",
  );
  expect(await contextOf(hook("prompt", asked("why did we drop the retry queue?", "m2")))).toContain(
    "A job table in Postgres",
  );
});
