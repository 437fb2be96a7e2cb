import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineSettings } from "../engine/knobs.ts";
import { makeVectors, withNearest } from "../engine/made-vectors.ts";
import type { Place } from "../engine/place.ts";
import { pythonRandom } from "./random.ts";
import { type Timing, timeHere, timeProcess } from "./timing.ts";

/** How many vectors, of how many numbers. */
export type Size = { readonly vectors: number; readonly dims: number };

/** One figure of so many vectors. */
export type NearestTiming = Timing & Size;

/** What a search asks for. */
const LIMIT = 100;
const SEED = 20_251_130;

export type NearestOptions = {
  /** The program that asks from a fresh process. */
  readonly executable: string;
  readonly sizes: readonly Size[];
  readonly settings: EngineSettings;
  readonly onProgress?: ((what: string) => void) | undefined;
};

/**
 * Measures exact nearest neighbours among random unit vectors, always the same, by the code that a search uses: cold, in a
 * process that opens the file, answers once and ends, and warm, in one that lives on. The files are removed afterwards.
 */
export async function measureNearest({
  executable,
  sizes,
  settings,
  onProgress,
}: NearestOptions): Promise<readonly NearestTiming[]> {
  const timings: NearestTiming[] = [];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "gestalt-nearest-"));
    const name = `${size.vectors}x${size.dims}`;
    try {
      onProgress?.(`${name}, cold`);
      const argv = ["bench", "nearest", "--sizes", name, "--ask", folder];
      await askOnce(folder, size, settings);
      timings.push({
        ...size,
        ...(await timeProcess(executable, { what: "a process that answers once", argv, runs: 10 })),
      });
      onProgress?.(`${name}, warm`);
      timings.push(...(await warm(placeIn(folder), settings, size)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return timings;
}

/** Answers one question from the files in a folder, and makes those first when they are not there. */
export async function askOnce(folder: string, { vectors, dims }: Size, settings: EngineSettings): Promise<void> {
  const place = placeIn(folder);
  const random = pythonRandom(SEED);
  if (!existsSync(place.db)) makeVectors(place, vectors, dims, () => unitVector(dims, random));
  await withNearest(place, settings, false, (nearest) => nearest(question(dims, 0), LIMIT));
}

async function warm(place: Place, settings: EngineSettings, size: Size): Promise<readonly NearestTiming[]> {
  const loading = await timeHere({ what: "reading all into memory, and one question", runs: 3 }, "desk.nearest", () =>
    withNearest(place, settings, true, (nearest) => nearest(question(size.dims, 0), LIMIT)),
  );
  const asking = await withNearest(place, settings, true, (nearest) =>
    timeHere({ what: "a question, all in memory", runs: 30 }, "desk.nearest", (i) =>
      nearest(question(size.dims, i), LIMIT),
    ),
  );
  return [loading, asking].map((timing) => ({ ...size, ...timing }));
}

const placeIn = (folder: string): Place => ({
  vaults: [],
  db: join(folder, "index.db"),
  vectors: join(folder, "vectors.db"),
  models: folder,
  why: "a benchmark",
});

/** The i-th question, of no length of its own among the stored ones. */
const question = (dims: number, i: number): Float32Array => unitVector(dims, pythonRandom(SEED + 1 + i));

function unitVector(dims: number, random: () => number): Float32Array {
  const raw = Float32Array.from({ length: dims }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
