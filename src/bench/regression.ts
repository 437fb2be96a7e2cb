import { GestaltError } from "../errors.ts";
import type { Outcome } from "./examine.ts";
import { clusterBootstrapMeans, differences } from "./statistics.ts";

/** A stored evaluation, as far as two of them can be compared. */
export type Evaluation = {
  readonly golden: string;
  readonly system: string;
  readonly outcomes: readonly Outcome[];
  readonly families: readonly (readonly string[])[];
};

/** What changed at one depth. */
export type Change = {
  readonly k: number;
  readonly before: number;
  readonly after: number;
  readonly lost: readonly string[];
  readonly won: readonly string[];
  /** The 95th percentile of the resampled difference; below 0 the loss is no accident. */
  readonly high: number;
  readonly regressed: boolean;
};

/** Fewest net losses that count. */
const FEWEST = 2;
const SHARE = 0.03;
const PERCENTILE = 0.95;

/**
 * Compares two evaluations of the same golden set at depths 1, 3 and 5 by the reference's rule: worse when more than a
 * few more cases are lost than won, and when that holds over resamples of whole clusters of cases.
 *
 * @throws GestaltError("bad-dataset") when they are of different golden sets or systems, or empty: what cannot be
 *   compared does not pass
 */
export function compareEvaluations(before: Evaluation, after: Evaluation): readonly Change[] {
  const problem =
    before.golden !== after.golden
      ? "the golden sets differ"
      : before.system !== after.system
        ? `one asked ${before.system}, the other ${after.system}`
        : undefined;
  if (problem !== undefined) throw new GestaltError("bad-dataset", problem, "gestalt eval run --out FILE, anew");
  const earlier = new Map(before.outcomes.map((outcome) => [outcome.id, outcome]));
  const pairs = after.outcomes.filter(({ negative }) => !negative).map((now) => ({ now, old: earlier.get(now.id) }));
  const clusters = clustersOf(
    pairs.map(({ now }) => now.accept),
    after.families,
  );
  if (pairs.length === 0 || pairs.some(({ old }) => old === undefined))
    throw new GestaltError("bad-dataset", "they did not ask the same questions", "gestalt eval run --out FILE, anew");
  return [1, 3, 5].map((k) => {
    const found = (outcome: Outcome | undefined) => Number((outcome?.rank ?? Number.POSITIVE_INFINITY) <= k);
    const old = pairs.map((pair) => found(pair.old));
    const now = pairs.map((pair) => found(pair.now));
    const paired = differences(now, old);
    const named = (sign: number) => pairs.filter((_, i) => paired[i] === sign).map((pair) => pair.now.id);
    const [lost, won] = [named(-1), named(1)];
    const means = clusterBootstrapMeans(paired, clusters);
    const high = means[Math.ceil(means.length * PERCENTILE) - 1] ?? Number.NaN;
    const many = lost.length - won.length >= Math.max(FEWEST, Math.ceil(SHARE * pairs.length));
    return { k, before: sum(old), after: sum(now), lost, won, high, regressed: many && high < 0 };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Cases that share an accepted note, directly or by others or a family, are one cluster. */
function clustersOf(accepted: readonly (readonly string[])[], families: readonly (readonly string[])[]): string[] {
  const parent = new Map<string, string>();
  const root = (name: string): string => {
    const above = parent.get(name) ?? name;
    return above === name ? name : root(above);
  };
  for (const [first, ...others] of [...accepted, ...families])
    for (const other of others) if (first !== undefined) parent.set(root(other), root(first));
  return accepted.map(([first = ""]) => root(first));
}
