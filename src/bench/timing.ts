import { GestaltError } from "../errors.ts";
import { peakBytes, percentile, resetPeak } from "./cost.ts";
import { peakOf } from "./peak.ts";
import { quietMoment } from "./quiet.ts";

/** One figure. Milliseconds and bytes. */
export type Timing = {
  readonly what: string;
  readonly command: string;
  readonly runs: number;
  readonly minMs: number;
  readonly medianMs: number;
  readonly cpuMs: number;
  /** The most memory that a run held which was not timed. */
  readonly peakBytes: number;
  /** Runs that began while other processes had more than a tenth of the machine. */
  readonly noisy: number;
};

/** Something to be timed, `runs` times. */
export type Row = { readonly what: string; readonly runs: number };

/** A whole process, from its start to its end. */
export type ProcessRow = Row & {
  readonly argv: readonly string[];
  /** Puts things as they must be before each run. */
  readonly before?: () => void;
};

/** @throws GestaltError("bad-dataset") when the program fails */
export async function timeProcess(executable: string, { what, argv, runs, before }: ProcessRow): Promise<Timing> {
  const command = ["gestalt", ...argv.map((word) => (word.startsWith("/") ? "DIR" : word))].join(" ");
  before?.();
  // This run warms the disk's cache.
  const peak = await peakOf(Bun.spawn([executable, ...argv], { stdio: ["ignore", "ignore", "ignore"] }));
  return await timed({ what, runs }, command, peak, () => {
    before?.();
    return async () => {
      const start = performance.now();
      const done = Bun.spawnSync([executable, ...argv], { stdout: "ignore", stderr: "pipe" });
      const wall = performance.now() - start;
      if (done.exitCode !== 0)
        throw new GestaltError("bad-dataset", `${what}: exit ${done.exitCode}: ${done.stderr}`, `${executable} doctor`);
      return { wall, cpu: Number(done.resourceUsage.cpuTime.total) / 1000 };
    };
  });
}

/**
 * Something in this process, as one that lives on does it. `run` is given the number of its run; number 0 loads what the
 * others find loaded and is not counted. Garbage of earlier runs is not its cost.
 */
export async function timeHere(row: Row, command: string, run: (i: number) => unknown): Promise<Timing> {
  Bun.gc(true);
  resetPeak();
  await run(0);
  const peak = peakBytes();
  let runs = 0;
  return await timed(row, command, peak, () => {
    Bun.gc(true);
    return async () => {
      const before = process.cpuUsage();
      const start = performance.now();
      await run(++runs);
      const wall = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      return { wall, cpu: (user + system) / 1000 };
    };
  });
}

type Took = { readonly wall: number; readonly cpu: number };

/** Makes each run ready, waits for a quiet machine, and runs it. */
async function timed(
  { what, runs }: Row,
  command: string,
  peak: number,
  ready: () => () => Promise<Took>,
): Promise<Timing> {
  const all: Took[] = [];
  let noisy = 0;
  for (let run = 0; run < runs; run++) {
    const once = ready();
    if (!(await quietMoment())) noisy += 1;
    all.push(await once());
  }
  const walls = all.map(({ wall }) => wall);
  return {
    what,
    command,
    runs,
    minMs: Math.min(...walls),
    medianMs: percentile(walls, 0.5),
    cpuMs: percentile(
      all.map(({ cpu }) => cpu),
      0.5,
    ),
    peakBytes: peak,
    noisy,
  };
}
