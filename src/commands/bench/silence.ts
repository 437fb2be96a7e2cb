import type { SilenceRow } from "../../bench/silence.ts";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { progressBar } from "../progress.ts";
import { benchKnobs, benchPlace, seals } from "./place.ts";
import { columns } from "./tables.ts";

/** Questions that are taken of each other data set. */
const sample = 100;

export default command({
  name: "silence",
  description: "Measure when hooks are silent, and which questions they serve",
  args: {
    dataset: { kind: "positional", required: true, description: "a data set, as for gestalt bench" },
    foreign: {
      kind: "list",
      description: "data sets of other subjects, or files of questions (.jsonl): they should find nothing",
    },
    data: { kind: "path", description: "the folder that holds the data sets" },
    split: { kind: "text", description: "whose questions (default test)" },
    "limit-docs": { kind: "integer", range: [1, 100_000_000], description: "only so many documents: no result, a try" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { loadTasks } = await import("../../bench/load.ts");
    const { questionsOf } = await import("../../bench/task.ts");
    const { readEntries } = await import("../../bench/jsonl.ts");
    const { measureSilence } = await import("../../bench/silence.ts");
    const { commandLine } = await import("./measure.ts");
    const place = benchPlace(flags, args.data);
    const load = { data: place.data, cutting: place.cutting, seals };
    const [task] = loadTasks(args.dataset, { ...load, split: args.split, limitDocs: args["limit-docs"] });
    if (task === undefined) throw new GestaltError("not-found", `${args.dataset} has no questions`, "another data set");
    const foreign = args.foreign
      .flatMap((list) => list.split(","))
      .map((name) =>
        name.endsWith(".jsonl")
          ? [...readEntries(name)].map(({ entry }) => entry)
          : loadTasks(name, load).slice(0, 1).flatMap(questionsOf),
      )
      .flatMap((questions) => questions.slice(0, sample).map(({ text }) => text));
    const bar = progressBar(`${task.dataset} ${task.split}`);
    const rows = await measureSilence(task, foreign, { ...place, onProgress: bar.show }).finally(bar.done);
    const { dataset, split, smoke } = task;
    if (args.json)
      console.log(JSON.stringify({ dataset, split, smoke, command: commandLine(), foreign: foreign.length, rows }));
    else console.log(table(rows));
  },
});

const table = (rows: readonly SilenceRow[]): string => {
  const share = (value: number) => value.toFixed(3);
  const cells = rows.map(({ by, strictness, everyday, foreign, answered, all }) => [
    by,
    String(strictness),
    ...[everyday, foreign, answered, all].map(share),
  ]);
  return columns(
    [["by", "strictness", "silent: everyday", "silent: foreign", "served: answer in top 3", "served: all"], ...cells],
    1,
  );
};
