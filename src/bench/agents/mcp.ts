import { readFileSync } from "node:fs";
import { GestaltError } from "../../errors.ts";
import { peakSoFar } from "../peak.ts";
import { type Figure, figureOf } from "./figure.ts";
import type { Session } from "./session.ts";
import type { Stage, Warm } from "./stage.ts";

/**
 * What some sessions at once hold, with the warm process behind them. Resident memory counts a page that processes share in each
 * of them; the sum of proportional shares counts it once. Null where the system does not tell.
 */
export type Crowd = {
  readonly sessions: number;
  /** The sessions, the warm process, and what else was started. */
  readonly processes: number;
  readonly residentBytes: number | null;
  readonly proportionalBytes: number | null;
  /** Of the warm process alone. */
  readonly warmResidentBytes: number | null;
  readonly warmProportionalBytes: number | null;
};

/** Milliseconds that a call may take in the median, by its mode; and a start to the reply to `initialize`. */
const promised = { lexical: 3, hybrid: 20, initialize: 150 } as const;
/** Calls for each run of a process. */
const callsPerRun = 10;

/** The start of a session, and its calls while the warm process is there. */
export async function mcpFigures(stage: Stage, runs: number): Promise<readonly Figure[]> {
  const figures = [await startFigure(stage, runs)];
  const session = await stage.session();
  try {
    for (const mode of ["lexical", "hybrid"] as const)
      for (const asked of ["again", "new"] as const)
        figures.push(await callFigure(stage, session, mode, asked, callsPerRun * runs));
  } finally {
    await session.end();
  }
  return figures;
}

async function startFigure(stage: Stage, runs: number): Promise<Figure> {
  const walls: number[] = [];
  let [peakBytes, noisy] = [0, 0];
  // The first run warms the disk's cache and is not counted.
  for (let run = 0; run <= runs; run++) {
    const quiet = await stage.quiet();
    const session = await stage.session();
    const peak = peakSoFar(session.pid);
    await session.end();
    if (run === 0) continue;
    walls.push(session.readyMs);
    peakBytes = Math.max(peakBytes, peak);
    if (!quiet) noisy += 1;
  }
  return figureOf(walls, {
    what: "MCP: start to the reply to initialize",
    command: "gestalt mcp",
    peakBytes,
    noisy,
    promised: { ms: promised.initialize, bytes: null },
  });
}

/** Calls with one question again and again, or with words of several notes and a note of its own each time. */
async function callFigure(
  stage: Stage,
  session: Session,
  mode: "lexical" | "hybrid",
  asked: "again" | "new",
  calls: number,
): Promise<Figure> {
  const walls: number[] = [];
  let noisy = 0;
  for (let call = 0; call <= calls; call++) {
    const quiet = call % callsPerRun !== 0 || (await stage.quiet());
    const subject = stage.subjects[asked === "again" ? 0 : (37 * call) % stage.subjects.length] ?? "";
    const { ms, mode: by, hits } = await session.search(subject, mode);
    if (by !== mode || hits === 0)
      throw new GestaltError(
        "bad-dataset",
        `a ${mode} call was answered as "${by}" with ${hits} hits`,
        "gestalt doctor",
      );
    if (call === 0) continue;
    walls.push(ms);
    if (!quiet) noisy += 1;
  }
  return figureOf(walls, {
    what: `MCP: a ${mode} call, ${asked === "again" ? "one question again and again" : "another question each time"}`,
    command: `gestalt_search {"mode":"${mode}","limit":5}`,
    peakBytes: null,
    noisy,
    promised: { ms: promised[mode], bytes: null },
  });
}

/** Opens sessions that each ask something by meaning, and counts what is there then. */
export async function measureCrowd(stage: Stage, warm: Warm, count: number): Promise<Crowd> {
  const open = Array.from({ length: count }, () => stage.session());
  const sessions = await Promise.all(open);
  try {
    for (const [i, session] of sessions.entries()) await session.search(stage.subjects[i] ?? "", "hybrid");
    const pids = [...new Set([warm.pid, ...sessions.map(({ pid }) => pid), ...stage.processes()])];
    const memories = pids.map(memoryOf);
    const sum = (key: keyof Memory): number | null =>
      memories.reduce<number | null>((all, of) => (all === null || of === null ? null : all + of[key]), 0);
    const own = memoryOf(warm.pid);
    return {
      sessions: count,
      processes: pids.length,
      residentBytes: sum("resident"),
      proportionalBytes: sum("proportional"),
      warmResidentBytes: own?.resident ?? null,
      warmProportionalBytes: own?.proportional ?? null,
    };
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
}

type Memory = { readonly resident: number; readonly proportional: number };

function memoryOf(pid: number): Memory | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const bytes = (name: string): number =>
      1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
    return { resident: bytes("Rss"), proportional: bytes("Pss") };
  } catch {
    return null;
  }
}
