/** What must hold for every hook and every client, by the executable. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { events } from "../../../src/agents/hooks/events.ts";
import { masked } from "../../../src/agents/secrets.ts";
import { type Door, openDoor } from "../../door.ts";
import { attacks } from "./attacks.ts";
import { contextIn } from "./context.ts";
import { harmless, malformed } from "./malformed.ts";
import { planted } from "./planted.ts";

// Far above what it takes, for machines that have much else to do.
setDefaultTimeout(300_000);

const beforeTools = ["PreToolUse", "BeforeTool", "beforeShellExecution", "beforeMCPExecution", "preToolUse"];
/** Every hook, and what the clients call its event. */
const hooks: readonly (readonly [hook: string, names: readonly string[]])[] = [
  ...Object.entries(events).map(([hook, { names }]) => [hook, names] as const),
  ["guard", beforeTools],
  ["audit", beforeTools],
];

/** Each tells of a note, the way the client asks for it. `subject` is in the prompt, the file's path and the project's README. */
const speaking: readonly {
  readonly hook: string;
  readonly name: string;
  readonly input: (subject: string, project: string) => object;
}[] = [
  { hook: "prompt", name: "UserPromptSubmit", input: (subject) => ({ prompt: `what is the ${subject} plan?` }) },
  { hook: "prompt", name: "BeforeAgent", input: (subject) => ({ prompt: `what is the ${subject} plan?` }) },
  {
    hook: "subagent",
    name: "PreToolUse",
    input: (subject) => ({ tool_name: "Task", tool_input: { prompt: `find the ${subject} plan for me` } }),
  },
  { hook: "session-start", name: "SessionStart", input: () => ({ source: "startup" }) },
  { hook: "session-start", name: "sessionStart", input: () => ({}) },
  {
    hook: "file",
    name: "PostToolUse",
    input: (subject, project) => ({
      tool_name: "Read",
      tool_input: { file_path: join(project, "src", subject, "a.ts") },
    }),
  },
  {
    hook: "file",
    name: "AfterTool",
    input: (subject, project) => ({
      tool_name: "read_file",
      tool_input: { file_path: join(project, "src", subject, "a.ts") },
    }),
  },
  {
    hook: "post-tool",
    name: "postToolUse",
    input: (subject, project) => ({ tool_name: "Read", tool_input: { path: join(project, "src", subject, "a.ts") } }),
  },
];

/** What hooks do only when they are asked to. */
const everything = { GESTALT_AUDIT_LOG: "on", GESTALT_EDIT_BACKUP: "on", GESTALT_EDIT_CHECK: "on" };

let door: Door;
let sessions = 0;

/** What a hook puts before the agent, in a session of its own unless one is named; "" for silence. */
async function told(hook: string, name: string, cwd: string, input: object, session?: string): Promise<string> {
  const id = session ?? `session-${sessions++}`;
  const who = /^[a-z]/.test(name)
    ? { conversation_id: id, cursor_version: "3", workspace_roots: [cwd] }
    : { session_id: id, cwd };
  const stdin = JSON.stringify({ ...who, transcript_path: "", hook_event_name: name, ...input });
  // The gate has tests of its own: here it is open.
  const said = await door.run(["hook", hook], { stdin, env: { GESTALT_HOOK_GATE: "0" } });
  expect({ ...said, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
  return said.stdout === "" ? "" : contextIn(JSON.parse(said.stdout));
}

const inOneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ");
/** A project whose README is about a subject. */
function projectOn(subject: string): string {
  door.write(`projects/${subject}/README.md`, `# The ${subject} plan\n\nWhat the ${subject} plan is about.\n`);
  return join(door.notes, "projects", subject);
}

const secretsIn = (i: number): readonly string[] => planted.filter((_, n) => n % 5 === i).map(([, secret]) => secret);
const subjects = "alpaca badger condor dingo egret ferret gopher heron ibis jackal koala lemur".split(" ");

beforeAll(async () => {
  door = await openDoor();
  for (const [i, attack] of attacks.entries())
    door.write(
      `knowledge/attacks/${i}.md`,
      `---\npaths: ["src/zebra${i}/**"]\n---\n# Zebra${i} ${inOneLine(attack)}\n\n` +
        `## Plan ${inOneLine(attack)}\n\nThe zebra${i} plan.\n\n${attack}\n`,
    );
  for (let i = 0; i < 5; i++)
    door.write(
      `knowledge/secrets/${i}.md`,
      `---\npaths: ["src/walrus${i}/**"]\n---\n# Walrus${i} ${secretsIn(i)[0]}\n\nThe walrus${i} plan.\n\n` +
        `${secretsIn(i).join("\n")}\n`,
    );
  for (const subject of subjects)
    door.write(
      `knowledge/${subject}.md`,
      `# The ${subject} service\n\n## Queue\n\nThe ${subject} queue is FACT-${subject}-queue.\n\n` +
        `## Owner\n\nThe ${subject} owner is FACT-${subject}-owner.\n`,
    );
  expect((await door.run(["index", "--lexical", "--gate"])).code).toBe(0);
});

test.each(hooks)(
  "%s: a hundred broken inputs of its clients end in silence and with exit code 0",
  async (hook, names) => {
    const lists = names.map(malformed);
    const inputs = lists[0]!.map((_, i) => lists[i % lists.length]![i]!);
    expect(inputs.length).toBeGreaterThanOrEqual(100);
    for (let at = 0; at < inputs.length; at += 8)
      await Promise.all(
        inputs.slice(at, at + 8).map(async (stdin) => {
          const { stdout, ...said } = await door.run(["hook", hook], { stdin, env: everything });
          expect([stdin.slice(0, 80), said]).toEqual([stdin.slice(0, 80), { code: 0, stderr: "" }]);
          if (!harmless.has(stdout.trim())) expect([stdin.slice(0, 80), stdout]).toEqual([]);
        }),
      );
  },
);

test.each(hooks)("%s: ends in silence when its client never closes stdin", async (hook, [name = ""]) => {
  const child = door.spawn(["hook", hook], { stdin: JSON.stringify({ hook_event_name: name }) });
  await child.stdin.flush();
  expect([await child.exited, await new Response(child.stdout).text()]).toEqual([0, ""]);
});

test.each(speaking)(
  "$hook, as $name: nothing that notes say leaves the fence, gives an order in the clear, or stays hidden",
  async ({ hook, name, input }) => {
    for (const [i, attack] of attacks.entries()) {
      const subject = `zebra${i}`;
      const project = projectOn(subject);
      const all = await told(hook, name, project, input(subject, project));
      const text = all.slice(all.indexOf("<gestalt-notes-"));
      const [, mark = "none"] = /^<gestalt-notes-([0-9a-f]{16})>/.exec(text) ?? [];
      expect([attack, text.endsWith(`</gestalt-notes-${mark}>`)]).toEqual([attack, true]);
      const inside = text.slice(`<gestalt-notes-${mark}>`.length, -`</gestalt-notes-${mark}>`.length);
      expect([attack, inside]).toEqual([attack, expect.stringContaining(`attacks/${i}.md`)]);
      expect(inside).not.toMatch(
        /gestalt-notes|nоtes|remіnder|!\[x\]|system-reminder|function_calls|im_start|HIDDEN|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/,
      );
    }
  },
);

test.each(speaking)("$hook, as $name: no planted secret is told", async ({ hook, name, input }) => {
  for (let i = 0; i < 5; i++) {
    const subject = `walrus${i}`;
    const project = projectOn(subject);
    const text = await told(hook, name, project, input(subject, project));
    expect(text).toContain(`secrets/${i}.md`);
    expect(text).toContain(masked);
    for (const [what, secret] of planted) expect([what, text.includes(secret)]).toEqual([what, false]);
  }
});

test.each([
  ["stop", "Stop", "SessionStart"],
  ["session-end", "SessionEnd", "SessionStart"],
  ["stop", "stop", "sessionStart"],
  ["session-end", "sessionEnd", "sessionStart"],
])("%s, as %s: no secret of a session is told to the next one", async (hook, name, next) => {
  const project = projectOn(`otter-${hook}-${name}`);
  const prompt = `Please rotate these keys: ${planted.map(([, secret]) => secret).join(" and ")}`;
  const turn = { type: "user", role: "user", message: { role: "user", content: prompt } };
  const transcript_path = door.write(`transcripts/${hook}-${name}.jsonl`, `${JSON.stringify(turn)}\n`);
  await told(hook, name, project, { transcript_path });
  const text = await told("session-start", next, project, { source: "startup" });
  expect(text).toContain("Please rotate these keys");
  for (const [what, secret] of planted) expect([what, text.includes(secret)]).toEqual([what, false]);
});

test.each([
  ["UserPromptSubmit", "PostCompact"],
  ["BeforeAgent", "PreCompress"],
])("thirty prompts of one session, as %s: no section is shown twice until a compaction", async (name, compaction) => {
  const shown: string[] = [];
  for (let turn = 0; turn < 30; turn++) {
    if (turn === 18) {
      await told("compacted", compaction, door.notes, { trigger: "auto" }, `replay-${name}`);
      expect(shown.length).toBeGreaterThan(10);
      expect(new Set(shown).size).toBe(shown.length);
      shown.length = 0;
    }
    const subject = subjects[(turn * 5) % subjects.length];
    const prompt = `who is the owner and what is the queue of the ${subject} service? (${turn})`;
    const text = await told("prompt", name, door.notes, { prompt }, `replay-${name}`);
    shown.push(...[...text.matchAll(/FACT-\w+-\w+/g)].map(([found]) => found));
  }
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown).size).toBe(shown.length);
});
