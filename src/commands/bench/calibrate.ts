import type { Sample, SignalReport } from "../../bench/calibration.ts";
import type { Estimate } from "../../bench/discrimination.ts";
import type { SystemName } from "../../bench/systems.ts";
import type { Task } from "../../bench/task.ts";
import type { Trial } from "../../bench/trial.ts";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { progressBar } from "../progress.ts";
import { type BenchPlace, benchKnobs, benchPlace, seals } from "./place.ts";
import { columns, pValue } from "./tables.ts";

export default command({
  name: "calibrate",
  description: "Learn how sure an answer is, for --calib, and what that is worth",
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
    const system = args.system ?? "rerank";
    if (!isSystemName(system))
      throw new GestaltError("usage", `no system "${system}"`, `one of ${systemNames.join(", ")}`);
    const place = benchPlace(flags, args.data);
    const [task] = loadTasks(args.dataset, { data: place.data, cutting: place.cutting, split: args.split, seals });
    if (task === undefined) throw new GestaltError("not-found", `${args.dataset} has no questions`, "another data set");
    const signals = calibrate(await samplesOf(task, system, place));
    const result = { dataset: task.dataset, split: task.split, system, signals };
    if (args.out !== undefined) {
      const { writeWhole } = await import("../../bench/whole.ts");
      writeWhole(args.out, `${JSON.stringify(result, null, 2)}\n`);
    }
    console.log(args.json ? JSON.stringify(result) : shown(signals));
  },
});

/** The answers of a system, with what words alone and meaning alone have to say where it has both. */
async function samplesOf(task: Task, system: SystemName, place: BenchPlace): Promise<readonly Sample[]> {
  const { systems } = await import("../../bench/systems.ts");
  const { metrics } = await import("../../bench/metrics.ts");
  const { answers } = await import("./measure.ts");
  const asked = async (name: SystemName): Promise<Trial> => {
    const bar = progressBar(`${task.dataset} ${name}`);
    return await answers(task, name, place, { show: bar.show }).finally(bar.done);
  };
  const { run, sure } = await asked(system);
  const { vectors, form } = systems[system];
  const [words, meaning] = !vectors
    ? []
    : [await asked(form === "cut" ? "lexical-cut" : "lexical"), await asked(form === "cut" ? "dense-cut" : "dense")];
  return [...task.qrels].map(([id, judged]) => {
    const found = run.get(id) ?? [];
    const ids = found.map((each) => each.id);
    const right = metrics.ndcg(ids, judged, 10) > 0;
    return { id, found, sure: sure.get(id), words: words?.run.get(id), meaning: meaning?.run.get(id), right };
  });
}

function shown(signals: Readonly<Record<string, SignalReport>>): string {
  const [first] = Object.values(signals);
  const three = ({ value, ci95: { low, high } }: Estimate): string =>
    `${value.toFixed(3)} (${low.toFixed(2)}..${high.toFixed(2)})`;
  const percent = (coverage: number): string => `right of ${Math.round(100 * coverage)} %`;
  const head = ["AUROC", "p (Holm)", "ECE", "AURC", ...(first?.test.selective ?? []).map((at) => percent(at.coverage))];
  const rows = Object.entries(signals).map(([name, { test, p }]) => [
    name,
    three(test.auroc),
    p === undefined ? "–" : pValue(p),
    three(test.ece),
    three(test.aurc),
    ...test.selective.map(({ accuracy }) => three(accuracy)),
  ]);
  const { calibration, test } = signals["top1"] ?? {};
  if (calibration === undefined || test === undefined) return "";
  const { scale, offset, dev } = calibration;
  const risks = test.risk
    .filter((_, i) => i % 2 === 1)
    .map((each) => [`${Math.round(each.coverage * 100)} %`, each.risk.toFixed(3)]);
  return [
    `confidence = 1 / (1 + e^-(${scale.toPrecision(6)} * score + ${offset.toPrecision(6)})), from ${dev} questions`,
    `what each signal is worth on the ${test.questions} others; p is of its AUROC against that of top1`,
    "",
    columns([["signal", ...head], ...rows], 1),
    "",
    columns([["answered", "of these wrong"], ...risks], 1),
  ].join("\n");
}
