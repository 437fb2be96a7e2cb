import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contextIn } from "../agents/hooks/context.ts";
import { type Door, openDoor } from "../door.ts";
import { openSession, processesOf, type Session, until, withModel } from "./sessions.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(600_000);

const notes = 20;
/** The model is dropped after four seconds without a question, and the process ends two seconds later. */
const env = { GESTALT_SERVE: "on", GESTALT_MODEL_IDLE_S: "4" };
const state = { GESTALT_STATE_DIR: "hooks" };

const word = (i: number): string => `zz${String.fromCharCode(97 + i)}zz`;
const fact = (i: number): string => `The retry queue of service ${i} uses ${word(i)}.`;

describe.skipIf(process.platform !== "linux")("twenty sessions and a hundred hooks at once", () => {
  test("the leader is killed twice: no answer is wrong or lost, one model is in memory, and in the end no process is left", async () => {
    const door = await openDoor();
    for (let i = 0; i < notes; i++) door.write(`n${i}.md`, `# Service ${i}\n\n${fact(i)}\n`);
    expect(await door.run(["index", "--vault", "."])).toMatchObject({ code: 0 });
    const watch = watching(door);
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(door, env)));
    await warmed(sessions[0]!);

    const late: number[] = [];
    const hooks = Array.from({ length: 100 }, async (_, i) => {
      if (!(await hookSays(door, i, `s${i}`))) late.push(i);
    });
    let killing = true;
    const asking = sessions.map((session, s) => askOn(session, s, () => killing));
    const killed: number[] = [];
    for (const session of sessions.slice(0, 2)) {
      await Bun.sleep(300);
      for (const pid of processesOf(door, "serve")) {
        process.kill(pid, "SIGKILL");
        killed.push(pid);
      }
      await warmed(session);
    }
    killing = false;
    expect((await Promise.all(asking)).flat()).toContain("hybrid");
    await Promise.all(hooks);
    expect(new Set(killed).size).toBeGreaterThanOrEqual(2);

    // A hook that had no time was silent, and nothing else kept it from its answer: asked again it has it.
    for (const i of late) expect([i, await hookSays(door, i, `again${i}`)]).toEqual([i, true]);
    expect(faultsOf(door).filter(({ message }) => !message.startsWith("took longer"))).toEqual([]);

    for (const session of sessions) expect(await session.end()).toBe(0);
    await until(() => processesOf(door).length === 0);
    expect(await watch.most()).toBe(1);
  });
});

/** Asks for one note after another, at the same time as other sessions; every answer must be its own. Returns how each was found. */
async function askOn(session: Session, s: number, goesOn: () => boolean): Promise<readonly string[]> {
  const modes: string[] = [];
  for (let round = 0; goesOn() || round < 6; round++) {
    const n = (s + 7 * round) % notes;
    const answer = await session.ask(round + 1, word(n));
    expect(answer).toMatchObject({ query: word(n), hits: [{ path: `n${n}.md` }] });
    modes.push(answer.mode);
    await Bun.sleep(200);
  }
  return modes;
}

/** Whether a hook in a session of its own told of note `i`. It may be silent when it was late, and tells of no other note first. */
async function hookSays(door: Door, i: number, session: string): Promise<boolean> {
  const n = i % notes;
  const prompt = `what does the retry queue of service ${n} use, is it ${word(n)}?`;
  const stdin = JSON.stringify({ session_id: session, cwd: door.notes, hook_event_name: "UserPromptSubmit", prompt });
  const said = await door.run(["hook", "prompt"], { stdin, env: { ...env, ...state, GESTALT_VAULT: door.notes } });
  expect({ ...said, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
  if (said.stdout === "") return false;
  expect(contextIn(JSON.parse(said.stdout))).toMatch(new RegExp(`\\[1\\] n${n}\\.md:[\\s\\S]*?\\n${fact(n)}\\n`));
  return true;
}

/** Asks until the warm process answers: by meaning, with every vector made. */
async function warmed(session: Session): Promise<void> {
  let id = 1_000_000;
  await until(async () => (await session.ask(id++, word(0))).mode === "hybrid", 300);
}

/** Looks all the time at who has a model in memory, until `most` is asked. */
function watching(door: Door): { most(): Promise<number> } {
  let ended = false;
  let most = 0;
  const looking = (async () => {
    while (!ended) {
      most = Math.max(most, withModel(processesOf(door)).length);
      await Bun.sleep(100);
    }
  })();
  return {
    async most() {
      ended = true;
      await looking;
      return most;
    },
  };
}

const faultsOf = (door: Door): readonly { readonly message: string }[] => {
  try {
    return readFileSync(join(door.notes, "hooks", "faults.jsonl"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
};
