import rows from "../../bench/expected.json" with { type: "json" };
import { GestaltError } from "../errors.ts";
import type { Result } from "./result.ts";
import { isSystemName, type SystemName } from "./systems.ts";

/**
 * A number that is promised: nDCG@10 of a system on a data set; null where nobody has measured it yet, so that it is
 * shown and not judged. `profile` and `reranker` name the models, null for the usual ones. `tolerance` is how far off a run may be and still count: models of 8 bits give slightly other
 * vectors on other processors, words do not.
 */
export type Expected = {
  readonly dataset: string;
  readonly split: string;
  readonly system: SystemName;
  readonly profile: string | null;
  readonly reranker: string | null;
  readonly ndcg10: number | null;
  readonly ci95: readonly number[] | null;
  readonly tolerance: number;
  /** Who says so. */
  readonly source: string;
};

/** @throws GestaltError("bad-dataset") for a row that names a system that does not exist */
export function expectedRows(): readonly Expected[] {
  return rows.map((row) => {
    if (!isSystemName(row.system))
      throw new GestaltError("bad-dataset", `bench/expected.json names no system: ${row.system}`, "mend that row");
    return { ...row, system: row.system };
  });
}

/**
 * What came of a promise. `exact`: the same four digits (or as many as were published); `near`: within the tolerance;
 * `ran`: there is nothing to compare with.
 */
export type Verdict =
  | { readonly outcome: "exact" | "near" | "off" | "ran"; readonly measured: number }
  | { readonly outcome: "not measured"; readonly because: string };

/** What subtracting two decimal numbers may add. */
const ROUNDING = 1e-12;

export function judge(
  { ndcg10, ci95, tolerance }: Pick<Expected, "ndcg10" | "ci95" | "tolerance">,
  { measures }: Pick<Result, "measures">,
): Verdict {
  const ndcg = measures["ndcg@10"];
  if (ndcg === undefined) return { outcome: "not measured", because: "the result holds no ndcg@10" };
  const measured = ndcg.mean;
  if (ndcg10 === null) return { outcome: "ran", measured };
  const digits = Math.max(3, String(ndcg10).length - 2);
  const same = (a: number, b: number | undefined): boolean =>
    b !== undefined && a.toFixed(digits) === b.toFixed(digits);
  const interval = ci95 === null || ndcg.ci95.every((end, i) => same(end, ci95[i]));
  if (same(measured, ndcg10) && interval) return { outcome: "exact", measured };
  return { outcome: Math.abs(measured - ndcg10) <= tolerance + ROUNDING ? "near" : "off", measured };
}

/** 0: nothing is off. 1: something is. 2: nothing could be measured. */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 1 | 2 {
  if (verdicts.some(({ outcome }) => outcome === "off")) return 1;
  return verdicts.some(({ outcome }) => outcome !== "not measured") ? 0 : 2;
}
