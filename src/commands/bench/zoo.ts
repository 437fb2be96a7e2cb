import type { Result } from "../../bench/result.ts";
import type { SystemName } from "../../bench/systems.ts";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { progressBar } from "../progress.ts";
import { benchKnobs, benchPlace, seals } from "./place.ts";
import { columns, megabytes } from "./tables.ts";

/** What is measured with each model. */
const withModel: readonly SystemName[] = ["consensus", "dense", "hybrid"];

export default command({
  name: "zoo",
  description: "Measure every model that is on this machine",
  args: {
    dataset: { kind: "positional", required: true, description: "a data set, as for gestalt bench" },
    data: { kind: "path", description: "the folder that holds the data sets" },
    split: { kind: "text", description: "whose questions (default test)" },
    "limit-docs": { kind: "integer", range: [1, 100_000_000], description: "only so many documents: no result, a try" },
    plot: { kind: "path", description: "a file for a plot of speed and quality, in SVG" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { openModelShelf } = await import("../../engine/models.ts");
    const { loadTasks } = await import("../../bench/load.ts");
    const { measureOne } = await import("./measure.ts");
    const place = benchPlace(flags, args.data);
    const load = { data: place.data, cutting: place.cutting, split: args.split, limitDocs: args["limit-docs"], seals };
    const [task] = loadTasks(args.dataset, load);
    if (task === undefined) throw new GestaltError("not-found", `${args.dataset} has no questions`, "another data set");
    const here = openModelShelf(place.models)
      .list()
      .filter(({ id, state }) => id.startsWith("embed/") && (state === "built-in" || state === "present"))
      .map(({ id, dtype }) => ({ profile: id.slice("embed/".length), dtype }));
    const rows: { name: string; result: Result }[] = [];
    const measure = async (system: SystemName, name: string, settings: typeof place.settings) => {
      const bar = progressBar(name);
      const result = await measureOne(task, system, { ...place, settings }, { show: bar.show }).finally(bar.done);
      if (result !== undefined) rows.push({ name, result });
    };
    for (const system of ["grep", "reference-bm25", "lexical"] as const) await measure(system, system, place.settings);
    for (const { profile, dtype } of here)
      for (const system of withModel)
        await measure(system, `${system}, ${profile} ${dtype}`, {
          ...place.settings,
          "embed-profile": profile,
          "embed-dtype": dtype,
        });
    if (args.plot !== undefined) {
      const { scatter } = await import("../../bench/svg.ts");
      const { writeWhole } = await import("../../bench/whole.ts");
      const points = rows.map(({ name, result }) => ({
        label: name,
        x: Math.max(0.01, result.cost.queryP50),
        y: result.measures["ndcg@10"]?.mean ?? 0,
        ours: true,
      }));
      const title = `${task.dataset}: quality and time of a question`;
      writeWhole(
        args.plot,
        scatter({ title, x: "median milliseconds of a question", y: "nDCG@10", logX: true, points }),
      );
    }
    if (args.json) {
      const { shortResult } = await import("../../bench/result.ts");
      console.log(JSON.stringify({ results: rows.map(({ name, result }) => ({ name, ...shortResult(result) })) }));
      return;
    }
    const cells = rows.map(({ name, result: { measures, cost } }) => [
      name,
      (measures["ndcg@10"]?.mean ?? 0).toFixed(4),
      `${cost.queryP50.toFixed(1)} ms`,
      `${cost.queryP95.toFixed(1)} ms`,
      cost.documentsPerSecond === null ? "–" : cost.documentsPerSecond.toFixed(0),
      megabytes(cost.modelBytes),
      megabytes(cost.peakBytes),
    ]);
    console.log(columns([[task.dataset, "ndcg@10", "p50", "p95", "docs/s", "model", "memory"], ...cells], 1));
  },
});
