import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Corrected } from "../../bench/compare.ts";
import type { Expected } from "../../bench/expected.ts";
import { columns, comparisonRows, scoresOf } from "../bench/tables.ts";
import { printable } from "../failure.ts";
import type { Row } from "./promises.ts";

const measure = "ndcg@10";

/** What fusing words and meaning is worth: `hybrid` beside each of them alone. */
const legs = ["lexical", "consensus", "dense", "hybrid"];

/**
 * The comparisons of the sets whose legs were all measured, with the usual models; p-values are corrected within a set.
 *
 * @param out folder to keep them in
 */
export async function compareLegs(rows: readonly Row[], out: string | undefined): Promise<readonly Corrected[]> {
  const { compareLast, storedComparisons } = await import("../../bench/compare.ts");
  const { readScores } = await import("../../bench/result.ts");
  const usual = rows.filter(({ expected }) => expected.profile === null);
  const sets = Map.groupBy(usual, ({ expected }) => `${expected.dataset}.${expected.split}`);
  const all: Corrected[] = [];
  for (const [set, held] of sets) {
    const results = legs.flatMap((leg) => held.find(({ expected }) => expected.system === leg)?.result ?? []);
    if (results.length < legs.length) continue;
    // What is kept has fewer digits: whoever compares that again gets the same.
    const kept = (leg: string, folder: string) => {
      const file = join(folder, `${set}.${leg}.json`);
      return readScores(file, readFileSync(file, "utf8"), measure);
    };
    const comparisons = compareLast(
      results.map((result, i) => (out === undefined ? scoresOf(result, measure) : kept(legs[i]!, out))),
    );
    all.push(...comparisons);
    if (out === undefined) continue;
    const { writeWhole } = await import("../../bench/whole.ts");
    writeWhole(join(out, `comparison.${set}.json`), storedComparisons(measure, comparisons));
  }
  return all;
}

/** The promises with what came of them, what the legs of fusion differ by, and why something was not measured. */
export function promiseTable(rows: readonly Row[], comparisons: readonly Corrected[]): string {
  const named = ({ system, profile, reranker }: Expected) => [system, profile, reranker].filter(Boolean).join(", ");
  const cells = rows.map(({ expected, verdict }) => [
    `${expected.dataset}/${expected.split}`,
    named(expected),
    expected.ndcg10?.toFixed(4) ?? "–",
    "measured" in verdict ? verdict.measured.toFixed(4) : "–",
    verdict.outcome,
  ]);
  const reasons = rows.flatMap(({ expected, verdict }) =>
    "because" in verdict ? [printable(`${expected.dataset}, ${named(expected)}: ${verdict.because}`)] : [],
  );
  return [
    columns([["data set", "system", "promised", "measured", "verdict"], ...cells]),
    ...(comparisons.length === 0 ? [] : ["", comparisonRows(measure, comparisons)]),
    ...(reasons.length === 0 ? [] : ["", "not measured, because", ...reasons]),
  ].join("\n");
}
