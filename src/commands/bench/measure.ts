import { join } from "node:path";
import { type Result, resultOf, saveResult } from "../../bench/result.ts";
import type { SystemName } from "../../bench/systems.ts";
import { digest, type Task } from "../../bench/task.ts";
import { fingerprintOf, runTrial, type Shard, type Trial } from "../../bench/trial.ts";
import { notice } from "../failure.ts";
import type { BenchPlace } from "./place.ts";

export type MeasureOptions = {
  /** Folder for answers so far and results. Without it those are kept in the cache, by fingerprint. */
  readonly out?: string | undefined;
  /** Folder for results alone; `out` unless told. */
  readonly results?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly show: (done: number, total: number) => void;
};

/** The answers of one system to one task. */
export async function answers(
  task: Task,
  system: SystemName,
  { settings, models, cache }: BenchPlace,
  { out, shard, show }: MeasureOptions,
): Promise<Trial> {
  const kept = join(cache, "..", "answers", digest(fingerprintOf(task, system, settings)).slice(0, 16));
  const onProgress = (_: string, done: number, total: number) => show(done, total);
  return await runTrial(task, system, { settings, models, cache, out: out ?? kept, shard, onProgress });
}

/** Runs one system on one task and scores it; a share of the questions has no score. */
export async function measureOne(
  task: Task,
  system: SystemName,
  place: BenchPlace,
  options: MeasureOptions,
): Promise<Result | undefined> {
  const trial = await answers(task, system, place, options);
  if (options.shard !== undefined) {
    notice(`${trial.run.size} questions asked; the score comes with a run without --shard in the same folder`);
    return undefined;
  }
  const result = resultOf(trial, commandLine());
  const { results = options.out } = options;
  if (results !== undefined) saveResult(results, trial, result);
  return result;
}

/** What was typed, without what is of this machine alone. */
export const commandLine = (): string => {
  const words = process.argv.slice(2).map((word) => word.replace(/^(--[\w-]+=)?(?:\/|[A-Za-z]:[\\/]).*/, "$1DIR"));
  return ["gestalt", ...words].join(" ");
};
