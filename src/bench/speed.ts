import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GestaltError } from "../errors.ts";
import { percentile } from "./cost.ts";
import { peakOf } from "./peak.ts";
import { quietMoment } from "./quiet.ts";
import { writeSyntheticNotes } from "./synthetic.ts";

/** One figure: whole processes from start to end. Milliseconds and bytes. */
export type Timing = {
  readonly what: string;
  readonly notes: number;
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

export type SpeedOptions = {
  /** The program that is measured. */
  readonly executable: string;
  readonly sizes: readonly number[];
  readonly onProgress?: ((what: string) => void) | undefined;
};

/**
 * Measures index and search by words on made-up notes of each size, in a folder that is removed afterwards. Waits for a
 * quiet machine before each run, and counts the runs that did not get one.
 *
 * @throws GestaltError("not-found") when there is no such program, "bad-dataset" when it fails
 */
export async function measureSpeed({ executable, sizes, onProgress }: SpeedOptions): Promise<readonly Timing[]> {
  if (!existsSync(executable)) throw new GestaltError("not-found", `there is no ${executable}`, "bun run build");
  const timings: Timing[] = [];
  for (const notes of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "gestalt-speed-"));
    try {
      onProgress?.(`writing ${notes} notes`);
      writeSyntheticNotes(join(folder, "notes"), notes);
      for (const row of rows(folder, notes)) {
        onProgress?.(`${row.what}, ${notes} notes`);
        timings.push(await time(executable, row, notes));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return timings;
}

type Row = {
  readonly what: string;
  readonly argv: readonly string[];
  readonly runs: number;
  /** Puts things as they must be before each run. */
  readonly before: () => void;
};

function rows(folder: string, notes: number): readonly Row[] {
  const places = ["--vault", join(folder, "notes"), "--search-dir", join(folder, "index")];
  const few = notes > 20_000 ? 2 : 4;
  const search = ["search", "--mode", "lexical", ...places, "retry queue latency"];
  const changed = join(folder, "notes", "area-0", "note-0.md");
  let edits = 0;
  return [
    {
      what: "index",
      argv: ["index", "--lexical", ...places],
      runs: few,
      before: () => rmSync(join(folder, "index"), { recursive: true, force: true }),
    },
    { what: "index, nothing changed", argv: ["index", "--lexical", ...places], runs: 2 * few, before: () => {} },
    { what: "search", argv: search, runs: 20, before: () => {} },
    {
      what: "search, one note changed",
      argv: search,
      runs: 8,
      before: () => writeFileSync(changed, `${readFileSync(changed, "utf8")}\nedit ${edits++}\n`),
    },
  ];
}

async function time(executable: string, { what, argv, runs, before }: Row, notes: number): Promise<Timing> {
  const walls: number[] = [];
  const cpu: number[] = [];
  let noisy = 0;
  before();
  // This run warms the disk's cache.
  const peakBytes = await peakOf(Bun.spawn([executable, ...argv], { stdio: ["ignore", "ignore", "ignore"] }));
  for (let run = 0; run < runs; run++) {
    before();
    const quiet = await quietMoment();
    const start = performance.now();
    const done = Bun.spawnSync([executable, ...argv], { stdout: "ignore", stderr: "pipe" });
    const wall = performance.now() - start;
    if (done.exitCode !== 0)
      throw new GestaltError("bad-dataset", `${what}: exit ${done.exitCode}: ${done.stderr}`, `${executable} doctor`);
    walls.push(wall);
    cpu.push(Number(done.resourceUsage.cpuTime.total) / 1000);
    if (!quiet) noisy += 1;
  }
  const command = ["gestalt", ...argv.map((word) => (word.startsWith("/") ? "DIR" : word))].join(" ");
  return {
    what,
    notes,
    command,
    runs,
    minMs: Math.min(...walls),
    medianMs: percentile(walls, 0.5),
    cpuMs: percentile(cpu, 0.5),
    peakBytes,
    noisy,
  };
}
