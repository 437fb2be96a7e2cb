import { existsSync } from "node:fs";
import type { Mode } from "../../bench/examine.ts";
import type { Grades, Share } from "../../bench/grade.ts";
import { GestaltError } from "../../errors.ts";
import { resolveSettings } from "../../settings.ts";
import { columns } from "../bench/tables.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { findNotes, noteKnobs } from "../find-notes.ts";
import { progressBar } from "../progress.ts";
import { goldenOf } from "./place.ts";

const modes = ["auto", "lexical", "consensus", "dense", "hybrid"] as const satisfies readonly Mode[];

export default command({
  name: "run",
  description: "Ask your notes the questions of a golden set",
  args: {
    golden: { kind: "path", description: "a golden set: YAML, or what gestalt eval make wrote" },
    system: { kind: "choice", options: modes, description: "how search answers (default lexical)" },
    out: { kind: "path", description: "a file to keep the outcome in, for gestalt eval compare" },
    report: { kind: "path", description: "a folder for a page in Markdown with its plot" },
    "min-recall": { kind: "number", range: [0, 1], description: "exit with 1 when recall@5 is lower" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    const { readGolden } = await import("../../bench/golden.ts");
    const { grade } = await import("../../bench/grade.ts");
    const { askAll } = await import("../../bench/ask.ts");
    const { place, settings, config } = await findNotes(flags);
    const strictness = resolveSettings({ config }, ["hook-gate"]).values["hook-gate"];
    const file = args.golden ?? goldenOf(place);
    if (args.golden === undefined && !existsSync(file))
      throw new GestaltError("not-found", "there are no questions to these notes yet", "gestalt eval make");
    const golden = await readGolden(file);
    const mode = args.system ?? "lexical";
    const bar = progressBar("asking");
    const outcomes = await askAll(golden.cases, { place, settings }, { mode, strictness }, bar.show).finally(bar.done);
    const grades = grade(outcomes);
    const other = outcomes.find((outcome) => mode !== "auto" && outcome.mode !== mode);
    if (other !== undefined)
      throw new GestaltError("model-missing", `${mode} was asked for, and ${other.mode} answered`, "gestalt index");
    if (args.out !== undefined) {
      const { writeWhole } = await import("../../bench/whole.ts");
      writeWhole(
        args.out,
        `${JSON.stringify({ golden: golden.hash, system: mode, families: golden.families, outcomes })}\n`,
      );
    }
    if (args.report !== undefined) {
      const { writeReport } = await import("../../bench/report.ts");
      writeReport(args.report, { golden: file, system: mode, grades, outcomes });
    }
    if (args.json) console.log(JSON.stringify({ golden: golden.hash, system: mode, ...grades, outcomes }));
    else show(grades, mode);
    const least = args["min-recall"] ?? 0;
    if (grades.all.recall5.share >= least) return 0;
    notice(`recall@5 is ${grades.all.recall5.share.toFixed(3)}, below ${least}`);
    return 1;
  },
});

function show({ buckets, all, negatives, auroc, silent, served }: Grades, mode: Mode): void {
  const share = (value: Share | null): string =>
    value === null ? "–" : `${value.share.toFixed(3)} (${value.ci95.low.toFixed(2)}..${value.ci95.high.toFixed(2)})`;
  const rows = [...(buckets.length > 1 ? buckets : []), all].map((row) => [
    row.bucket,
    String(row.cases),
    share(row.recall1),
    share(row.recall3),
    share(row.recall5),
    row.mrr.toFixed(3),
    share(row.block),
  ]);
  console.log(columns([[mode, "questions", "recall@1", "recall@3", "recall@5", "mrr", "right section"], ...rows], 1));
  if (negatives === 0) return;
  const told = auroc === null ? "" : `; AUROC of the best score against them ${auroc.toFixed(3)}`;
  console.log(`${negatives} questions that the notes do not answer${told}`);
  console.log(
    `hooks would be silent on ${share(silent)} of them, and answer ${share(served)} of those found in the first three`,
  );
}
