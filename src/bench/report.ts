import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Outcome } from "./examine.ts";
import type { Grade, Grades, Share } from "./grade.ts";
import { bars } from "./svg.ts";

export type Reported = {
  readonly golden: string;
  readonly system: string;
  readonly grades: Grades;
  readonly outcomes: readonly Outcome[];
};

/** Questions that are listed as not found. */
const LISTED = 15;

/** Writes `report.md` and its plot into a folder. */
export function writeReport(folder: string, reported: Reported): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "recall.svg"), plotOf(reported.grades));
  writeFileSync(join(folder, "report.md"), pageOf(reported));
}

const plotOf = ({ buckets, all }: Grades): string =>
  bars(
    "recall@5 with 95 % interval",
    [...buckets, all].map(({ bucket, cases, recall5: { share, ci95 } }) => ({
      label: `${bucket} (${cases})`,
      value: share,
      low: ci95.low,
      high: ci95.high,
    })),
  );

function pageOf({ golden, system, grades, outcomes }: Reported): string {
  const rows = [...grades.buckets, grades.all].map(rowOf);
  const missed = outcomes.filter(({ negative, rank }) => !negative && rank === null);
  return [
    "# How search does on these notes",
    "",
    `Questions: ${basename(golden)}. Asked by: ${system}. A question counts as found when an accepted note is among the first hits.`,
    "",
    "| questions | | recall@1 | recall@3 | recall@5 | MRR | right section |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "![recall@5](recall.svg)",
    "",
    ...(grades.auroc === null
      ? []
      : [
          `${grades.negatives} questions have no answer here; the best score tells them apart with an AUROC of ${grades.auroc.toFixed(3)}.`,
          "",
        ]),
    ...(grades.silent === null
      ? []
      : [
          `Hooks would be silent on ${cell(grades.silent)} of these, and answer ${grades.served === null ? "–" : cell(grades.served)} of the questions whose note is among the first three.`,
          "",
        ]),
    ...(missed.length === 0 ? [] : [`## Not among the first five (${missed.length})`, ""]),
    ...missed.slice(0, LISTED).map(({ query, accept }) => `- ${oneLine(query)} → ${accept.join(", ")}`),
    "",
  ].join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

const rowOf = ({ bucket, cases, recall1, recall3, recall5, mrr, block }: Grade): string =>
  `| ${bucket} | ${cases} | ${cell(recall1)} | ${cell(recall3)} | ${cell(recall5)} | ${mrr.toFixed(3)} | ${block === null ? "–" : cell(block)} |`;

const cell = ({ share, ci95: { low, high } }: Share): string =>
  `${share.toFixed(3)} (${low.toFixed(2)}–${high.toFixed(2)})`;
