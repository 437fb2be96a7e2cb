import type { Result } from "../../bench/result.ts";
import type { SystemName } from "../../bench/systems.ts";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { progressBar } from "../progress.ts";
import { benchKnobs, benchPlace, fetchMissing, seals } from "./place.ts";
import { comparisonTable, resultTable } from "./tables.ts";

/** Always beside what is measured on conversations: on some of them, looking for words is hard to beat. */
const baselines: readonly SystemName[] = ["grep", "reference-bm25"];

/** `otherwise` of the group `bench`. */
export default command({
  name: "run",
  description: "Ask systems all questions of data sets, and score the answers",
  args: {
    datasets: {
      kind: "positional",
      many: true,
      required: true,
      description: "names of bench/datasets.json, or folders in BEIR form",
    },
    system: { kind: "list", description: "what is measured, a,b,c (default reference-bm25,lexical)" },
    data: { kind: "path", description: "the folder that holds the data sets" },
    fetch: { kind: "boolean", description: "get data sets that are not at hand from the internet" },
    split: {
      kind: "text",
      description: "test, train or dev; of conversations a level, such as turn or turn-unanswerable",
    },
    "limit-docs": { kind: "integer", range: [1, 100_000_000], description: "only so many documents: no result, a try" },
    shard: { kind: "text", description: "I/N: every N-th question from the I-th; without it all shares are merged" },
    out: { kind: "path", description: "folder for results, runs and answers so far" },
    check: { kind: "boolean", description: "only say whether all that is needed is there, and what it takes" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { isSystemName, systemNames } = await import("../../bench/systems.ts");
    const names = (args.system.length > 0 ? args.system : ["reference-bm25,lexical"]).flatMap((list) =>
      list.split(","),
    );
    const systems = names.map((name): SystemName => {
      if (isSystemName(name)) return name;
      throw new GestaltError("usage", `no system "${name}"`, `one of ${systemNames.join(", ")}`);
    });
    const place = benchPlace(flags, args.data);
    const { loadTasks } = await import("../../bench/load.ts");
    const load = { data: place.data, cutting: place.cutting, split: args.split, limitDocs: args["limit-docs"], seals };
    if (args.fetch) await fetchMissing(args.datasets, place);
    if (args.check) {
      const { check } = await import("./check.ts");
      return await check(args.datasets, systems, place, load, args.json);
    }
    const tasks = args.datasets.flatMap((name) => loadTasks(name, load));
    const results: Result[] = [];
    const { clustersOf } = await import("../../bench/task.ts");
    for (const task of tasks)
      for (const system of clustersOf(task) === undefined ? systems : new Set([...baselines, ...systems])) {
        const { measureOne } = await import("./measure.ts");
        const bar = progressBar(`${task.dataset} ${task.split} ${system}`);
        const shard = args.shard === undefined ? undefined : shardOf(args.shard);
        const result = await measureOne(task, system, place, { out: args.out, shard, show: bar.show }).finally(
          bar.done,
        );
        if (result !== undefined) results.push(result);
      }
    if (args.json) {
      const { shortResult } = await import("../../bench/result.ts");
      console.log(JSON.stringify({ results: results.map(shortResult) }));
      return 0;
    }
    if (results.some(({ smoke }) => smoke)) notice("a part of the data only: a try, not a result");
    console.log(resultTable(results));
    if (results.length > tasks.length) console.log(`\n${comparisonTable(results)}`);
    return 0;
  },
});

function shardOf(text: string): { index: number; of: number } {
  const [, index, of] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (Number(index) <= Number(of)) return { index: Number(index), of: Number(of) };
  throw new GestaltError("usage", `--shard is "${text}", not a share such as 1/4`, "--shard 1/4");
}
