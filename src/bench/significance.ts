import { pythonRandom } from "./random.ts";
import { type Draws, type Interval, mean, PERMUTATIONS, SEED } from "./statistics.ts";

/** Means closer than this are the same mean, summed in another order. */
const SLACK = 1e-15;

/**
 * The two-sided p-value of paired differences, by sign flips: how often a mean at least as far from 0 comes up when
 * each difference might as well have had the other sign.
 *
 * One draw per query and permutation, in that order; the sign stays when it is below 0.5.
 *
 * @param paired differences per query, no unit; their order matters to the last digits, since the draws are fixed
 * @returns (as extreme + 1) / (rounds + 1), in (0, 1]: never 0, however clear the difference
 */
export function permutationTest(paired: readonly number[], { rounds = PERMUTATIONS, seed = SEED }: Draws = {}): number {
  const n = paired.length;
  const observed = Math.abs(mean(paired));
  const values = Float64Array.from(paired);
  const random = pythonRandom(seed);
  let extreme = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += random() < 0.5 ? values[i]! : -values[i]!;
    if (Math.abs(sum / n) >= observed - SLACK) extreme += 1;
  }
  return (extreme + 1) / (rounds + 1);
}

/**
 * p-values corrected for having tested several things at once, in the order given. Each may be compared with the level
 * one would use for a single test.
 *
 * @see Holm, Scandinavian Journal of Statistics 1979, 6(2), 65–70
 */
export function holm(p: readonly number[]): number[] {
  const order = [...p.keys()].sort((a, b) => p[a]! - p[b]!);
  const corrected = new Array<number>(p.length);
  let highest = 0;
  for (const [rank, i] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (p.length - rank) * p[i]!));
    corrected[i] = highest;
  }
  return corrected;
}

/**
 * The Wilson score interval of a share: `hits` out of `n`. Unlike the interval everybody knows, it stays within [0, 1]
 * and says something at 0 and at `n` hits.
 *
 * @param z 1.96 standard deviations make 95 %
 * @see Wilson, JASA 1927, doi:10.1080/01621459.1927.10502953
 */
export function wilson(hits: number, n: number, z = 1.959963984540054): Interval {
  if (!(n > 0 && hits >= 0 && hits <= n)) throw new RangeError(`${hits} of ${n} is not a share`);
  const share = hits / n;
  const scale = 1 + z ** 2 / n;
  const middle = share + z ** 2 / (2 * n);
  const reach = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}
