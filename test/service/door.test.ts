import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";
import { openSession, processesOf, until } from "../doors/sessions.ts";

// Far above what it takes, for machines that have much else to do.
setDefaultTimeout(180_000);

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  for (let i = 0; i < 20; i++)
    door.write(`n${i}.md`, `# Note ${i}\n\nThe retry queue of service ${i} uses ${word(i)}.\n`);
});

const word = (i: number): string => `zz${String.fromCharCode(97 + i)}zz`;
/** The model is dropped after four seconds without a question, and the process ends two seconds later. */
const env = { GESTALT_SERVE: "on", GESTALT_MODEL_IDLE_S: "4" };

type Status = { readonly pid: number; readonly model: boolean; readonly answered: number; readonly bytes: number };
async function status(): Promise<Status | null> {
  return JSON.parse((await door.run(["serve", "--status", "--json"], { env })).stdout);
}

const serving = (): number[] => processesOf(door, "serve");

describe.skipIf(process.platform !== "linux")("the warm process, by the executable", () => {
  test("sessions start one, it is killed twice in mid-answer, and no answer is wrong or lost; then none is left", async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => openSession(door, env)));
    const [first] = sessions;
    let id = 1;
    // A question that finds no warm process has one started; words answer until it is there.
    const warmed = () =>
      until(async () => {
        const answer = await first?.ask(id++, word(0));
        return answer?.mode === "hybrid" && answer.index.pending.passages === 0;
      }, 1_200);
    for (let kills = 0; kills <= 2; kills++) {
      await warmed();
      await until(() => serving().length === 1);
      for (let round = 0; round < 5; round++) {
        const asked = sessions.map((session, i) => session.ask(id++, word((round + i) % 20)));
        if (kills < 2 && round === 3) for (const pid of serving()) process.kill(pid, "SIGKILL");
        for (const [i, answer] of (await Promise.all(asked)).entries()) {
          const n = (round + i) % 20;
          expect(answer).toMatchObject({ query: word(n), hits: [{ path: `n${n}.md` }] });
        }
      }
    }
    for (const session of sessions) expect(await session.end()).toBe(0);
    await until(() => serving().length === 0);
    expect(existsSync(join(door.home, ".local/state/gestalt/serve/socket"))).toBe(false);
  });

  test("a crowd of starts leaves one", async () => {
    const crowd = Array.from({ length: 12 }, () => door.run(["serve"], { env: { GESTALT_MODEL_IDLE_S: "600" } }));
    await until(async () => (await status()) !== null);
    await until(() => serving().length === 1);
    expect((await door.run(["serve", "--stop"])).stdout).toStartWith("ended: process");
    for (const { code } of await Promise.all(crowd)) expect(code).toBe(0);
    expect(serving()).toEqual([]);
    expect((await door.run(["serve", "--status"])).code).toBe(1);
  });

  test("an older program says that another one's is running, and ends nothing", async () => {
    const older = join(door.home, "older");
    copyFileSync(door.executable, older);
    utimesSync(older, 1, 1);
    const served = door.run(["serve"], { env: { GESTALT_MODEL_IDLE_S: "600" } });
    await until(async () => (await status()) !== null);
    for (const order of ["--status", "--stop"]) {
      const { exitCode, stdout } = Bun.spawnSync([older, "serve", order], { env: { HOME: door.home } });
      expect(stdout.toString()).toContain("one of another gestalt is running");
      expect(exitCode).toBe(1);
    }
    expect((await door.run(["serve", "--stop"])).stdout).toStartWith("ended: process");
    await served;
  });

  test("a search from the command line asks it where it runs, and starts none", async () => {
    const env = { GESTALT_SERVE: "on" };
    const search = async () => {
      const { stdout } = await door.run(["search", word(4), "--vault", ".", "--limit", "1", "--json"], { env });
      expect(JSON.parse(stdout)).toMatchObject({ query: word(4), mode: "hybrid", hits: [{ path: "n4.md" }] });
    };
    await search();
    expect(serving()).toEqual([]);
    const served = door.run(["serve"], { env: { GESTALT_MODEL_IDLE_S: "600" } });
    await until(async () => (await status()) !== null);
    await until(async () => {
      await search();
      return (await status())?.answered !== 0;
    });
    for (const pid of serving()) process.kill(pid, "SIGKILL");
    await served;
    await search();
    expect(serving()).toEqual([]);
  });

  test("the start of a session is enough: what has no vector gets one, and nobody asks anything", async () => {
    await door.run(["index", "--lexical", "--vault", "."]);
    door.write("late.md", "# Late\n\nThe kennel of the office hound stands below the printer.\n");
    const env = { GESTALT_SERVE: "on", GESTALT_VAULT: door.notes };
    const stdin = JSON.stringify({
      session_id: "s",
      cwd: door.notes,
      hook_event_name: "SessionStart",
      source: "startup",
    });
    expect(await door.run(["hook", "session-start"], { stdin, env })).toMatchObject({ code: 0, stderr: "" });
    await until(async () => {
      const { stdout } = await door.run(["status", "--json"], { env });
      const { notes, passages } = JSON.parse(stdout).pending;
      return notes + passages === 0;
    }, 500);
    expect((await door.run(["serve", "--stop"], { env })).stdout).toContain(door.notes);
    await until(() => serving().length === 0);
  });

  test("a session that asks nothing has it come back when it is killed, and when a note changes after it has ended", async () => {
    const brief = { ...env, GESTALT_MODEL_IDLE_S: "2" };
    const session = await openSession(door, brief);
    await until(() => serving().length === 1);
    const [first] = serving();
    await until(async () => (await status())?.model === true, 500);
    process.kill(first ?? 0, "SIGKILL");
    await until(() => serving().some((pid) => pid !== first), 500);
    await until(() => serving().length === 0, 1_200);
    await Bun.sleep(500);
    expect(serving()).toEqual([]);
    door.write("later.md", "# Later\n\nThe parrot of the night shift knows the door code.\n");
    await until(async () => {
      const { stdout } = await door.run(["status", "--vault", ".", "--json"], { env });
      const { notes, passages } = JSON.parse(stdout).pending;
      return notes + passages === 0;
    }, 500);
    expect(await session.end()).toBe(0);
    await until(() => serving().length === 0);
  });

  test("with GESTALT_SERVE=off nothing is started", async () => {
    const stdin = [
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "gestalt_search", arguments: { query: word(3), limit: 1 } },
      },
    ];
    const { stdout } = await door.run(["mcp", "--vault", "."], {
      stdin: stdin.map((line) => `${JSON.stringify(line)}\n`).join(""),
      env: { GESTALT_SERVE: "off" },
    });
    expect(stdout).toContain("n3.md");
    expect(serving()).toEqual([]);
  });
});
