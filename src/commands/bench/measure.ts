import { join } from "node:path";
import { type Result, resultOf, saveResult } from "../../bench/result.ts";
import type { SystemName } from "../../bench/systems.ts";
import { digest, type Task } from "../../bench/task.ts";
import { fingerprintOf, runTrial, type Shard } from "../../bench/trial.ts";
import { notice } from "../failure.ts";
import type { BenchPlace } from "./place.ts";

export type MeasureOptions = {
  /** Without it the answers so far are kept in the cache, by fingerprint, and no result is written. */
  readonly out?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly show: (done: number, total: number) => void;
};

/** Runs one system on one task and scores it; a share of the questions has no score. */
export async function measureOne(
  task: Task,
  system: SystemName,
  { settings, models, cache }: BenchPlace,
  { out, shard, show }: MeasureOptions,
): Promise<Result | undefined> {
  const kept = join(cache, "..", "answers", digest(fingerprintOf(task, system, settings)).slice(0, 16));
  const onProgress = (_: string, done: number, total: number) => show(done, total);
  const trial = await runTrial(task, system, { settings, models, cache, out: out ?? kept, shard, onProgress });
  if (shard !== undefined) {
    notice(`${trial.run.size} questions asked; the score comes with a run without --shard in the same folder`);
    return undefined;
  }
  const result = resultOf(trial, commandLine());
  if (out !== undefined) saveResult(out, trial, result);
  return result;
}

/** What was typed, without what is of this machine alone. */
export const commandLine = (): string => {
  const words = process.argv.slice(2).map((word) => (word.startsWith("/") ? "DIR" : word));
  return ["gestalt", ...words].join(" ");
};
