import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EngineSettings } from "../engine/knobs.ts";
import { type Engine, withEngine } from "../engine/open.ts";
import { locate } from "../engine/place.ts";
import { GestaltError } from "../errors.ts";
import { isFields } from "./json.ts";
import type { SpeedOptions, SpeedTiming } from "./speed.ts";
import { writeSyntheticNotes } from "./synthetic.ts";
import { timeHere, timeProcess } from "./timing.ts";

/** Words of which most are in many notes. */
const questions = [
  "retry queue latency",
  "how do we roll back a deployment",
  "who was at the customer meeting",
  "why is the cache stale after a migration",
  "which token does the session need",
  "what happened in the last incident",
  "where are backups of the storage kept",
  "when is the next release review",
];

/**
 * Measures searches that use vectors, on made-up notes of each size. The notes and their vectors are kept in the folder
 * `cache`, so that the next measurement need not embed them.
 *
 * @throws GestaltError("not-found") when there is no such program, "bad-dataset" when it fails, "model-missing" when not all
 *   passages have a vector, or another mode answers than was asked for
 */
export async function measureMeaning(
  { executable, sizes, onProgress }: SpeedOptions,
  { cache, settings }: { readonly cache: string; readonly settings: EngineSettings },
): Promise<readonly SpeedTiming[]> {
  if (!existsSync(executable)) throw new GestaltError("not-found", `there is no ${executable}`, "bun run build");
  const timings: SpeedTiming[] = [];
  for (const notes of sizes) {
    const folder = join(cache, `speed-${notes}`);
    const [vault, index] = [join(folder, "notes"), join(folder, "index")];
    if (!existsSync(vault)) writeSyntheticNotes(vault, notes);
    const place = locate({ vault: [vault], db: undefined, searchDir: index, config: undefined, cwd: folder });
    onProgress?.(`embedding ${notes} notes`);
    embed(executable, ["index", "--json", "--vault", vault, "--search-dir", index]);
    for (const [what, mode] of [
      ["search by words and meaning", "hybrid"],
      ["search by words and stored vectors", "consensus"],
    ] as const) {
      onProgress?.(`${what}, ${notes} notes`);
      const argv = ["search", "--mode", mode, "--vault", vault, "--search-dir", index, "retry queue latency"];
      timings.push({ notes, ...(await timeProcess(executable, { what, argv, runs: 20 })) });
    }
    onProgress?.(`in one process, ${notes} notes`);
    timings.push(
      ...(await withEngine({ place, settings, watch: true }, async (engine) => [
        { notes, ...(await warm(engine, "hybrid")) },
        { notes, ...(await warm(engine, "consensus")) },
      ])),
    );
  }
  return timings;
}

function embed(executable: string, argv: readonly string[]): void {
  const { stdout, stderr, exitCode } = Bun.spawnSync([executable, ...argv], { stdout: "pipe", stderr: "pipe" });
  const report: unknown = exitCode === 0 ? JSON.parse(stdout.toString()) : undefined;
  const pending = isFields(report) && isFields(report["pending"]) ? report["pending"]["passages"] : undefined;
  if (pending !== 0)
    throw new GestaltError("model-missing", `not every passage has a vector: ${stderr}`, `${executable} doctor`);
}

/** One question after the other, in a process that lives on. */
const warm = (engine: Engine, mode: "hybrid" | "consensus") =>
  timeHere({ what: `the same in one process, ${mode}`, runs: 5 * questions.length }, "engine.search", async (i) => {
    const answer = await engine.search(questions[i % questions.length] ?? "", { limit: 10, mode });
    if (answer.mode !== mode)
      throw new GestaltError("model-missing", `${mode} was asked for, ${answer.mode} answered`, "gestalt doctor");
  });
