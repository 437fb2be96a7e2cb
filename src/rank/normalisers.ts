/**
 * Puts the scores of one leg on a common scale, each in its place.
 *
 * The odd cases, the same for all: no scores give none; NaN and the infinities become 0 and are left out of the sums;
 * where all finite scores are equal, each becomes 0.5. The result is finite, and of two finite scores the higher one
 * never comes out lower. A magnitude above 1e150, which no scorer gives, counts as 1e150, so that squares stay finite.
 *
 * @param floor the lowest score the leg's scale allows; only tmin looks at it
 */
export type Normaliser = (scores: readonly number[], floor: number) => number[];

/** Every way to normalise. Add a line here; the setting, its help and the laws follow. */
export const normalisers = {
  minmax: whereScoresDiffer(minmax),
  zscore: whereScoresDiffer(zscore),
  tmin: whereScoresDiffer(tmin),
} satisfies Record<string, Normaliser>;

export type NormaliserName = keyof typeof normalisers;

/** A rule that sees only finite scores, two of them different, and returns the scale for one score. */
type Rule = (scores: readonly number[], floor: number) => (score: number) => number;

function whereScoresDiffer(rule: Rule): Normaliser {
  return (scores, floor) => {
    const finite = scores.filter(Number.isFinite).map(tame);
    const scale = new Set(finite).size > 1 ? rule(finite, floor) : () => 0.5;
    return scores.map((score) => (Number.isFinite(score) ? scale(tame(score)) : 0));
  };
}

const tame = (score: number): number => Math.max(-1e150, Math.min(1e150, score));

/**
 * (v − min) / (max − min), in [0, 1].
 *
 * @see Lee, SIGIR 1997, doi:10.1145/258525.258587
 */
function minmax(scores: readonly number[]): (score: number) => number {
  const min = scores.reduce((a, b) => Math.min(a, b));
  const max = scores.reduce((a, b) => Math.max(a, b));
  return (score) => (score - min) / (max - min);
}

/**
 * (v − mean) / sd with the population's standard deviation. Where that underflows to 0, each score becomes 0.5.
 *
 * @see Montague & Aslam, CIKM 2001, doi:10.1145/502585.502657
 */
function zscore(scores: readonly number[]): (score: number) => number {
  const mean = average(scores);
  const sd = Math.sqrt(average(scores.map((score) => (score - mean) ** 2)));
  return (score) => (sd === 0 ? 0.5 : (score - mean) / sd);
}

/**
 * (max(v, floor) − floor) / (max − floor), in [0, 1]: minmax from the lowest score possible instead of the lowest found,
 * so that a leg of only good hits does not call one of them worthless. All 0 where nothing is above the floor.
 *
 * @see Bruch, Gai & Ingber, TOIS 2023, doi:10.1145/3596512
 */
function tmin(scores: readonly number[], floor: number): (score: number) => number {
  const max = scores.reduce((a, b) => Math.max(a, b));
  return (score) => (max <= floor ? 0 : (Math.max(score, floor) - floor) / (max - floor));
}

const average = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b) / numbers.length;
