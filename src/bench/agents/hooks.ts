import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unseenPrompts } from "../../engine/null.ts";
import { GestaltError } from "../../errors.ts";
import { type Figure, figureOf } from "./figure.ts";
import type { Fired, Stage, Warm } from "./stage.ts";

/** One hook at one event of a client. */
export type HookRow = {
  readonly what: string;
  /** As in `gestalt hook EVENT`. */
  readonly event: string;
  /** The event, but for what all events say. */
  readonly input: (run: number) => Readonly<Record<string, unknown>>;
  /** Whether it must say something; else it must be silent. */
  readonly speaks: boolean;
  readonly promised: Figure["promised"];
  /** With the warm process: whether it must answer, or stands still. */
  readonly warm?: "answers" | "stands still";
  /** Puts things as they must be before each run. */
  readonly before?: (run: number) => void;
};

/** Milliseconds and bytes (50 times 2^20) that are promised of a hook: with words and stored vectors, with the warm process, in any case. */
const promised = {
  words: { ms: 75, bytes: 50 * 2 ** 20 },
  warm: { ms: 60, bytes: null },
  ever: { ms: 300, bytes: null },
} as const;

/** What is asked of a note that has the answer. */
const question = (subject: string): string => `What did we write down about ${subject}?`;
const talk = "run the tests again and show me only the failures";

/** Every hook that is timed. Each run is a session of its own, so that nothing has been shown before. */
export function hookRows({
  vault,
  project,
  subjects,
}: Pick<Stage, "vault" | "project" | "subjects">): readonly HookRow[] {
  const subject = (run: number): string => subjects[(41 * run) % subjects.length] ?? "";
  const answered = (run: number) => ({ hook_event_name: "UserPromptSubmit", prompt: question(subject(run)) });
  const everyday = () => ({ hook_event_name: "UserPromptSubmit", prompt: talk });
  const touched = { tool_name: "Read", tool_input: { file_path: join(project, "src", "retry", "worker.ts") } };
  const task = { description: "look", prompt: "", subagent_type: "general-purpose" };
  const shell = { tool_name: "Bash", tool_input: { command: "git status && ls -la src" } };
  const changed = (run: number): void => {
    const path = notePath(vault, (41 * run) % subjects.length);
    writeFileSync(path, readFileSync(path, "utf8"));
    appendFileSync(path, "\nAn edit.\n");
  };
  const prompt = { event: "prompt", input: answered, speaks: true } as const;
  const quietPrompt = { event: "prompt", input: everyday, speaks: false } as const;
  return [
    { what: "prompt that is answered, by words and stored vectors", ...prompt, promised: promised.words },
    { what: "prompt of everyday talk, by words", ...quietPrompt, promised: promised.words },
    { what: "prompt that is answered, its note edited since", ...prompt, before: changed, promised: promised.ever },
    {
      what: "session-start",
      event: "session-start",
      input: () => ({ hook_event_name: "SessionStart", source: "startup" }),
      speaks: true,
      promised: promised.ever,
    },
    {
      what: "subagent",
      event: "subagent",
      input: (run) => ({
        hook_event_name: "PreToolUse",
        tool_name: "Agent",
        tool_input: { ...task, prompt: question(subject(run)) },
      }),
      speaks: true,
      promised: promised.ever,
    },
    {
      what: "file",
      event: "file",
      input: () => ({ hook_event_name: "PostToolUse", ...touched }),
      speaks: true,
      promised: promised.ever,
    },
    {
      what: "stop",
      event: "stop",
      input: () => ({ hook_event_name: "Stop" }),
      speaks: false,
      promised: promised.ever,
    },
    {
      what: "guard",
      event: "guard",
      input: () => ({ hook_event_name: "PreToolUse", ...shell }),
      speaks: false,
      promised: promised.ever,
    },
    { what: "prompt that is answered, with the warm process", ...prompt, warm: "answers", promised: promised.warm },
    {
      what: "prompt of everyday talk, with the warm process",
      ...quietPrompt,
      warm: "answers",
      promised: promised.warm,
    },
    {
      what: "prompt that is answered, the warm process stands still",
      ...prompt,
      warm: "stands still",
      promised: promised.ever,
    },
  ];
}

const notePath = (vault: string, note: number): string => join(vault, `area-${note % 24}`, `note-${note}.md`);

/** Runs whose memory is watched; they are not timed. */
const watched = 3;

/** Times a hook from its start to its exit, and makes sure that it did what it is timed for. */
export async function timeHook(stage: Stage, row: HookRow, runs: number, warm?: Warm): Promise<Figure> {
  const { what, event, speaks, promised } = row;
  const walls: number[] = [];
  let [peakBytes, noisy] = [0, 0];
  const before = row.warm === "answers" ? (warm?.answered() ?? 0) : 0;
  const fire = async (run: number, watch: boolean): Promise<Fired> => {
    row.before?.(run);
    const fired = await stage.fire(event, row.input(run), row.warm === undefined ? "off" : "on", watch);
    if ((fired.said !== "") !== speaks) throw untrue(`${what}: said "${fired.said.slice(0, 80)}"`);
    return fired;
  };
  if (row.warm === "stands still") warm?.pause();
  try {
    // These warm the disk's cache too.
    for (let run = 0; run < watched; run++) peakBytes = Math.max(peakBytes, (await fire(run, true)).peakBytes);
    for (let run = 0; run < runs; run++) {
      if (!(await stage.quiet())) noisy += 1;
      walls.push((await fire(watched + run, false)).ms);
    }
  } finally {
    if (row.warm === "stands still") warm?.resume();
  }
  if (row.warm === "answers" && (warm?.answered() ?? 0) - before < watched + runs)
    throw untrue(`${what}: the warm process did not answer each time`);
  return figureOf(walls, { what, command: `gestalt hook ${event}`, peakBytes, noisy, promised });
}

const untrue = (message: string): GestaltError => new GestaltError("bad-dataset", message, "gestalt doctor");

/** What hooks put before an agent for some prompts, each the first of its session. */
export type Injected = {
  readonly prompts: string;
  readonly asked: number;
  readonly served: number;
  /** Characters of the blocks, over all prompts. */
  readonly meanCharacters: number;
  readonly maxCharacters: number;
  /** One of the prompts. */
  readonly example: string;
};

/** Notes that are asked for. */
const asked = 50;

/** How many characters hooks put before an agent for prompts that the notes answer, and for those that they do not. */
export async function promptsIn(stage: Stage, by: "words" | "meaning"): Promise<Injected[]> {
  const step = Math.max(1, Math.floor(stage.subjects.length / asked));
  const lists = {
    "questions about a note": stage.subjects
      .filter((_, i) => i % step === 0)
      .slice(0, asked)
      .map(question),
    "everyday talk, never used for fitting": await unseenPrompts(),
  };
  const injected: Injected[] = [];
  for (const [kind, prompts] of Object.entries(lists)) {
    const characters: number[] = [];
    for (const prompt of prompts) {
      const input = { hook_event_name: "UserPromptSubmit", prompt };
      const { said } = await stage.fire("prompt", input, by === "words" ? "off" : "on", false);
      characters.push(said === "" ? 0 : String(JSON.parse(said).hookSpecificOutput.additionalContext).length);
    }
    injected.push({
      prompts: `${kind}, by ${by}`,
      asked: prompts.length,
      served: characters.filter((n) => n > 0).length,
      meanCharacters: Math.round(characters.reduce((sum, n) => sum + n, 0) / prompts.length),
      maxCharacters: Math.max(...characters),
      example: prompts[0] ?? "",
    });
  }
  return injected;
}
