import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { progressBar } from "../progress.ts";
import { benchKnobs, benchPlace } from "./place.ts";
import { columns } from "./tables.ts";

export default command({
  name: "calibrate",
  description: "Learn what the score of a first hit is worth, for --calib",
  args: {
    dataset: { kind: "positional", required: true, description: "a data set, as for gestalt bench" },
    system: { kind: "text", description: "what answers (default rerank)" },
    data: { kind: "path", description: "the folder that holds the data sets" },
    split: { kind: "text", description: "whose questions (default test)" },
    out: { kind: "path", description: "the file for --calib" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { isSystemName, systemNames } = await import("../../bench/systems.ts");
    const { loadTasks } = await import("../../bench/load.ts");
    const { calibrate } = await import("../../bench/calibration.ts");
    const { answers } = await import("./measure.ts");
    const system = args.system ?? "rerank";
    if (!isSystemName(system))
      throw new GestaltError("usage", `no system "${system}"`, `one of ${systemNames.join(", ")}`);
    const place = benchPlace(flags, args.data);
    const [task] = loadTasks(args.dataset, { data: place.data, cutting: place.cutting, split: args.split });
    if (task === undefined) throw new GestaltError("not-found", `${args.dataset} has no questions`, "another data set");
    const bar = progressBar(`${task.dataset} ${system}`);
    const { run } = await answers(task, system, place, { show: bar.show }).finally(bar.done);
    const { metrics } = await import("../../bench/metrics.ts");
    const samples = [...task.qrels].flatMap(([id, judged]) => {
      const found = run.get(id) ?? [];
      const [first] = found;
      const right =
        metrics.ndcg(
          found.map((each) => each.id),
          judged,
          10,
        ) > 0;
      return first === undefined ? [] : [{ id, signal: first.score, right }];
    });
    const calibration = calibrate(samples);
    const result = { dataset: task.dataset, split: task.split, system, signals: { top1: { calibration } } };
    if (args.out !== undefined) {
      const { writeWhole } = await import("../../bench/whole.ts");
      writeWhole(args.out, `${JSON.stringify(result, null, 2)}\n`);
    }
    if (args.json) {
      console.log(JSON.stringify(result));
      return;
    }
    const { scale, offset, dev, test, auroc, aurocCi95, ece, aurc, risk } = calibration;
    console.log(
      `confidence = 1 / (1 + e^-(${scale.toPrecision(6)} * score + ${offset.toPrecision(6)})), from ${dev} questions`,
    );
    console.log(
      `on the ${test} others: AUROC ${auroc.toFixed(3)} (${aurocCi95.low.toFixed(3)}..${aurocCi95.high.toFixed(3)}), ECE ${ece.toFixed(3)}, AURC ${aurc.toFixed(3)}`,
    );
    const rows = risk
      .filter((_, i) => i % 2 === 1)
      .map((each) => [`${Math.round(each.coverage * 100)} %`, each.risk.toFixed(3)]);
    console.log(columns([["answered", "of these wrong"], ...rows], 1));
  },
});
