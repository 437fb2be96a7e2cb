import { drawIndex, pythonRandom } from "./random.ts";

/** The reference's draws: change one, and its published figures no longer come out. */
export const ROUNDS = 10_000;
export const PERMUTATIONS = 20_000;
export const SEED = 12_345;

/** Both ends belong to it. */
export type Interval = { readonly low: number; readonly high: number };

export type Draws = { readonly rounds?: number; readonly seed?: number };

/** @throws RangeError for no values: there is no such number, and 0 would read like a score */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError("no values to take the mean of");
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/**
 * Means of `rounds` resamples of `values`, each drawn with replacement and as large as `values`; sorted, lowest first.
 *
 * The order of `values` matters to the last digits, since the draws are fixed. For a paired comparison, give the
 * differences.
 */
export function bootstrapMeans(values: readonly number[], { rounds = ROUNDS, seed = SEED }: Draws = {}): Float64Array {
  const random = pythonRandom(seed);
  const n = values.length;
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[drawIndex(random, n)]!;
    means[round] = sum / n;
  }
  return means.sort();
}

/**
 * As `bootstrapMeans`, but whole clusters are drawn: questions about one conversation rise and fall together, and
 * drawing them one by one would feign more evidence than there is.
 *
 * @param clusters the cluster of each value, in the same order; clusters are numbered by first appearance. A resample
 *   has as many clusters as there are; its mean is over the values it holds, so it may be of another size
 */
export function clusterBootstrapMeans(
  values: readonly number[],
  clusters: readonly string[],
  { rounds = ROUNDS, seed = SEED }: Draws = {},
): Float64Array {
  if (values.length !== clusters.length) throw new RangeError("each value needs its cluster");
  const groups = [...Map.groupBy(values.keys(), (i) => clusters[i]!).values()].map((members) => ({
    sum: members.reduce((sum, i) => sum + values[i]!, 0),
    size: members.length,
  }));
  const random = pythonRandom(seed);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    let size = 0;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[drawIndex(random, groups.length)]!;
      sum += group.sum;
      size += group.size;
    }
    means[round] = sum / size;
  }
  return means.sort();
}

/**
 * The percentile interval of sorted resampled means: as many are cut off on either side. With 10,000 of them and 0.95,
 * the ends are those at index 250 and 9,749.
 *
 * @param confidence above 0, below 1
 */
export function percentileInterval(sorted: Float64Array, confidence = 0.95): Interval {
  const cut = Math.round((sorted.length * (1 - confidence)) / 2);
  const low = sorted[cut];
  const high = sorted[sorted.length - 1 - cut];
  if (low === undefined || high === undefined || Number.isNaN(low))
    throw new RangeError("no values to take an interval of");
  return { low, high };
}

/** The 95 % percentile bootstrap interval of the mean. */
export const bootstrapInterval = (values: readonly number[], draws?: Draws): Interval =>
  percentileInterval(bootstrapMeans(values, draws));

/** `a[i] - b[i]`. Both must be about the same queries in the same order. */
export function differences(a: readonly number[], b: readonly number[]): number[] {
  if (a.length !== b.length) throw new RangeError(`${a.length} values cannot be paired with ${b.length}`);
  return a.map((value, i) => value - b[i]!);
}
