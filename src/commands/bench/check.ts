import { type LoadOptions, loadTasks } from "../../bench/load.ts";
import { estimate, freeBytes, type Readiness } from "../../bench/readiness.ts";
import type { SystemName } from "../../bench/systems.ts";
import { GestaltError } from "../../errors.ts";
import { notice } from "../failure.ts";
import type { BenchPlace } from "./place.ts";
import { columns, megabytes } from "./tables.ts";

/** Says whether a run can be made: exit code 0, or 1 with a line for each thing that is missing. */
export async function check(
  datasets: readonly string[],
  systems: readonly SystemName[],
  { cache }: BenchPlace,
  load: LoadOptions,
  json: boolean,
): Promise<number> {
  const problems: string[] = [];
  const ready: Readiness[] = [];
  for (const name of datasets) {
    try {
      for (const task of loadTasks(name, load)) ready.push(...systems.map((system) => estimate(task, system)));
    } catch (error) {
      if (!(error instanceof GestaltError)) throw error;
      problems.push(`${error.message}; ${error.hint}`);
    }
  }
  const bytes = ready.reduce((sum, row) => sum + row.bytes, 0);
  const free = freeBytes(cache);
  if (bytes > free) problems.push(`the indexes take some ${megabytes(bytes)}, and ${megabytes(free)} are free`);
  if (json) console.log(JSON.stringify({ go: problems.length === 0, problems, runs: ready }));
  else {
    const rows = ready.map((row) => [
      `${row.dataset}/${row.split}`,
      row.system,
      String(row.documents),
      String(row.queries),
      row.seconds < 90 ? `${row.seconds} s` : `${Math.round(row.seconds / 60)} min`,
      megabytes(row.bytes),
    ]);
    if (rows.length > 0)
      console.log(columns([["data set", "system", "documents", "queries", "some time", "some disk"], ...rows]));
    for (const problem of problems) notice(problem);
    console.log(problems.length === 0 ? "go" : "no go");
  }
  return problems.length === 0 ? 0 : 1;
}
