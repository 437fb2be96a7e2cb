import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GestaltError } from "../../errors.ts";
import { peakOf } from "../peak.ts";
import { quietMoment } from "../quiet.ts";
import { syntheticNotes, writeSyntheticNotes } from "../synthetic.ts";
import { openSession, type Session } from "./session.ts";

type Serve = "on" | "off";

/** Notes, a project, and a user's home in which the program is started as agents start it. */
export type Stage = {
  readonly vault: string;
  /** A folder with code that one of the notes is about. */
  readonly project: string;
  /** Titles of notes, each with the word that only that note has; in the order of the notes. */
  readonly subjects: readonly string[];
  /**
   * Runs one hook, in a session of its own.
   *
   * @param serve whether it may use the warm process
   * @param watch whether its memory is looked at all the time, which costs it time
   */
  fire(event: string, input: Readonly<Record<string, unknown>>, serve: Serve, watch: boolean): Promise<Fired>;
  /** Starts an MCP session that may use the warm process. */
  session(): Promise<Session>;
  /** Starts the warm process, and returns when it answers by meaning. */
  warm(): Promise<Warm>;
  /** Processes of this stage that are running. */
  processes(): readonly number[];
  /** Waits until the machine does little else; false when it does not come to that. */
  quiet(): Promise<boolean>;
};

/** What a hook said, and what it cost from its start to its exit. `peakBytes` is 0 when nobody watched. */
export type Fired = { readonly said: string; readonly ms: number; readonly peakBytes: number };

export type Warm = {
  readonly pid: number;
  /** Questions it has answered so far. */
  answered(): number;
  /** It is there and does nothing, until `resume`. */
  pause(): void;
  resume(): void;
  end(): Promise<void>;
};

export type StageOptions = {
  readonly folder: string;
  readonly executable: string;
  readonly notes: number;
  readonly patience: number | undefined;
};

/** A note about files of a project, by its own word. */
const fileNote = `---
title: The retry worker
paths: ["src/retry/**"]
---

# The retry worker

A job that fails is put back with a delay that doubles. It ends in the table of failed jobs after eight times.
`;
const readme = "# Retry worker\n\nThe retry worker puts a failed job back with a delay that doubles.\n";

/** Milliseconds after which a warm process that does not answer is broken. */
const startup = 60_000;

/** Writes the notes and the project, and indexes the notes with their vectors. */
export function openStage({ folder, executable, notes, patience }: StageOptions): Stage {
  const vault = join(folder, "notes");
  const project = join(folder, "project");
  const home = join(folder, "home");
  writeStage({ vault, project, home }, notes);
  const options = (serve: Serve) => ({
    cwd: project,
    env: {
      HOME: home,
      USERPROFILE: home,
      PATH: "/usr/bin:/bin",
      GESTALT_VAULT: vault,
      GESTALT_SEARCH_DIR: join(folder, "index"),
      GESTALT_SERVE: serve,
    },
  });
  const run = (argv: readonly string[], serve: Serve): string => {
    const done = Bun.spawnSync([executable, ...argv], { ...options(serve), stderr: "pipe" });
    if (done.exitCode === 0) return done.stdout.toString();
    throw new GestaltError("bad-dataset", `${argv.join(" ")}: exit ${done.exitCode}: ${done.stderr}`, "gestalt doctor");
  };
  run(["index"], "off");
  const session = (): Promise<Session> => openSession(executable, options("on"));
  return {
    vault,
    project,
    subjects: [...syntheticNotes(notes - 1)].map(({ text }) => subjectOf(text)),
    session,
    processes: () => processesIn(home),
    quiet: () => quietMoment(patience),
    async fire(event, input, serve, watch) {
      const all = { session_id: crypto.randomUUID(), transcript_path: "", cwd: project, ...input };
      const stdin = new TextEncoder().encode(JSON.stringify(all));
      const argv = [executable, "hook", event];
      if (watch) {
        const child = Bun.spawn(argv, { ...options(serve), stdio: [stdin, "pipe", "ignore"] });
        const [peakBytes, said] = await Promise.all([peakOf(child), new Response(child.stdout).text()]);
        return { said, ms: 0, peakBytes };
      }
      const start = performance.now();
      const { stdout } = Bun.spawnSync(argv, { ...options(serve), stdio: [stdin, "pipe", "ignore"] });
      return { said: stdout.toString(), ms: performance.now() - start, peakBytes: 0 };
    },
    async warm() {
      const answered = (): number => JSON.parse(run(["serve", "--status", "--json"], "on")).answered;
      const warm = held(
        Bun.spawn([executable, "serve"], { ...options("on"), stdio: ["ignore", "ignore", "ignore"] }),
        answered,
      );
      await untilHybrid(session).catch(async (error) => {
        await warm.end();
        throw error;
      });
      return warm;
    },
  };
}

const held = (child: Bun.Subprocess, answered: () => number): Warm => ({
  pid: child.pid,
  answered,
  pause: () => child.kill("SIGSTOP"),
  resume: () => child.kill("SIGCONT"),
  async end() {
    child.kill("SIGKILL");
    await child.exited;
  },
});

function writeStage(places: Readonly<Record<"vault" | "project" | "home", string>>, notes: number): void {
  const { vault, project, home } = places;
  writeSyntheticNotes(vault, notes - 1);
  writeFileSync(join(vault, "retry-worker.md"), fileNote);
  for (const path of [home, join(project, ".git")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/retry-worker\n");
  writeFileSync(join(project, "README.md"), readme);
}

/** Asks until it is answered by meaning: until the warm process has loaded its model, questions are answered without. */
async function untilHybrid(open: () => Promise<Session>): Promise<void> {
  const late = performance.now() + startup;
  const session = await open();
  try {
    while ((await session.search("a first question", "hybrid")).mode !== "hybrid") {
      if (performance.now() > late)
        throw new GestaltError("bad-dataset", "the warm process does not answer by meaning", "gestalt serve --status");
      await Bun.sleep(200);
    }
  } finally {
    await session.end();
  }
}

/** `Corada galewis norino 17, mark17` */
function subjectOf(text: string): string {
  const [, title = "", mark = ""] = /^title: (.*)$[\s\S]*\b(mark\d+)\./m.exec(text) ?? [];
  return `${title}, ${mark}`;
}

/** Processes whose home is this folder; none where the system does not tell. */
function processesIn(home: string): readonly number[] {
  const isOurs = (pid: string): boolean => {
    try {
      return readFileSync(join("/proc", pid, "environ"), "utf8")
        .split("\0")
        .includes(`HOME=${home}`);
    } catch {
      return false;
    }
  };
  try {
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && isOurs(pid))
      .map(Number);
  } catch {
    return [];
  }
}
