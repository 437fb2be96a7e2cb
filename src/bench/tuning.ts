import { CryptoHasher } from "bun";
import type { EngineSettings } from "../engine/knobs.ts";
import { only, type Task } from "./task.ts";

/** One way to fuse. `settings` go over those that are given. */
export type Candidate = { readonly name: string; readonly settings: Partial<EngineSettings> };

const tenths = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.round((to - from) * 10) + 1 }, (_, i) => Number((from + i / 10).toFixed(1)));

/** The reference's grid, and our own default, which comes first. */
export const fusionGrid: readonly Candidate[] = [
  { name: "half", settings: { fusion: "half" } },
  { name: "rrf", settings: { fusion: "rrf" } },
  ...tenths(0.1, 0.9).map((w): Candidate => ({ name: `wrrf ${w}`, settings: { fusion: "wrrf", "fusion-w-bm25": w } })),
  ...(["minmax", "zscore", "tmin"] as const).flatMap((norm) =>
    tenths(0, 0.9).map(
      (alpha): Candidate => ({
        name: `convex ${norm} ${alpha}`,
        settings: { fusion: "convex", "fusion-norm": norm, "fusion-alpha": alpha },
      }),
    ),
  ),
  { name: "rescue", settings: { fusion: "rescue" } },
];

/**
 * The questions to choose by, and those to report on: two splits, or seven tenths and the rest of the only one.
 *
 * @param load gives the task of a split
 */
export function halves(
  splits: readonly string[],
  load: (split: string | undefined) => Task,
): { readonly choose: Task; readonly report: Task } {
  const split = ["dev", "train"].find((name) => splits.includes(name));
  if (split !== undefined) return { choose: load(split), report: load("test") };
  const whole = load(undefined);
  const may = (query: string): boolean => mayChoose(whole.dataset, query);
  return { choose: only(whole, "choose", may), report: only(whole, "report", (query) => !may(query)) };
}

/** Whether a question of a set without a train or dev split may be used to choose: seven of ten, as in the reference. */
export function mayChoose(dataset: string, query: string): boolean {
  const hash = new CryptoHasher("sha1").update(`tune-fusion-grid:${dataset}:${query}`).digest("hex");
  return Number(BigInt(`0x${hash}`) % 10n) < 7;
}
