import type { Corrected } from "../../bench/compare.ts";
import type { Result } from "../../bench/result.ts";
import type { SystemName } from "../../bench/systems.ts";
import type { Task } from "../../bench/task.ts";
import type { Candidate } from "../../bench/tuning.ts";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { progressBar } from "../progress.ts";
import { type BenchPlace, benchKnobs, benchPlace, seals } from "./place.ts";
import { columns, comparisonRows, scoresOf } from "./tables.ts";

/** A way to fuse, or a leg by itself, and how it did. */
type Row = { readonly name: string; readonly candidate: Candidate; readonly result: Result };

export default command({
  name: "tune",
  description: "Choose how words and meaning are fused on some questions, and report once on others",
  args: {
    dataset: {
      kind: "positional",
      required: true,
      description: "a data set: dev or train questions choose, else a part",
    },
    data: { kind: "path", description: "the folder that holds the data sets" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { datasetRows } = await import("../../bench/datasets.ts");
    const { loadTasks } = await import("../../bench/load.ts");
    const { compare, corrected } = await import("../../bench/compare.ts");
    const { fusionGrid, halves } = await import("../../bench/tuning.ts");
    const place = benchPlace(flags, args.data);
    const splits = datasetRows.find(({ name }) => name === args.dataset)?.splits ?? [];
    const { choose, report } = halves(splits, (split) => {
      const [task] = loadTasks(args.dataset, { data: place.data, cutting: place.cutting, split, seals });
      if (task !== undefined) return task;
      throw new GestaltError("not-found", `${args.dataset} has no questions`, "another data set");
    });
    const rows: Row[] = [];
    for (const candidate of fusionGrid)
      rows.push({ name: candidate.name, candidate, result: await measured(choose, "hybrid", candidate, place) });
    const [first] = rows;
    const [best] = rows.toSorted(byScore);
    if (best === undefined || first === undefined) throw new Error("the grid is not empty");
    const legs: Row[] = [];
    for (const leg of ["lexical", "dense"] as const)
      legs.push({ name: leg, candidate: first.candidate, result: await measured(choose, leg, first.candidate, place) });
    const [leg = first] = legs.toSorted(byScore);
    const scores = ({ name, result }: Row) => ({ ...scoresOf(result, "ndcg@10"), name });
    const gains = corrected([first, leg].map((row) => compare(scores(row), scores(best))));
    // The reference's rule, and a winner by chance is left where it is: the default stays.
    const chosen = gains.every(({ ci95 }) => ci95.low > 0) ? best : first;
    const reported = await measured(report, "hybrid", chosen.candidate, place);
    if (args.json) {
      const table = [...rows, ...legs].map(({ name, candidate, result }) => ({
        ...candidate,
        name,
        "ndcg@10": ndcg(result),
      }));
      const [by, on] = [choose.split, report.split];
      console.log(
        JSON.stringify({ dataset: args.dataset, by, on, table, chosen: chosen.candidate, "ndcg@10": ndcg(reported) }),
      );
    } else show([...rows, ...legs], gains, `${choose.dataset} ${choose.split}`);
    if (!args.json)
      console.log(`chosen: ${chosen.candidate.name}; on ${report.split}, once: ${ndcg(reported).toFixed(4)}`);
  },
});

const byScore = (a: Row, b: Row): number => ndcg(b.result) - ndcg(a.result);
const ndcg = ({ measures }: Result): number => measures["ndcg@10"]?.mean ?? 0;

async function measured(
  task: Task,
  system: SystemName,
  { name, settings }: Candidate,
  place: BenchPlace,
): Promise<Result> {
  const { measureOne } = await import("./measure.ts");
  const bar = progressBar(`${task.split} ${name}`);
  const changed = { ...place, settings: { ...place.settings, ...settings } };
  const result = await measureOne(task, system, changed, { show: bar.show }).finally(bar.done);
  if (result === undefined) throw new Error("a whole run gives a result");
  return result;
}

function show(rows: readonly Row[], gains: readonly Corrected[], where: string): void {
  const cells = rows.toSorted(byScore).map(({ name, result }) => [name, ndcg(result).toFixed(4)]);
  console.log(columns([[where, "ndcg@10"], ...cells], 1));
  console.log(`\n${comparisonRows("ndcg@10", gains)}\n`);
}
