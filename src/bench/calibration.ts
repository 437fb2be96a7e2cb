import { CryptoHasher } from "bun";
import { GestaltError } from "../errors.ts";
import { auroc } from "./grade.ts";
import { drawIndex, pythonRandom } from "./random.ts";
import { type Interval, percentileInterval, ROUNDS, SEED } from "./statistics.ts";

/** How sure an answer looked, on any scale, and whether it was right. */
export type Sample = { readonly id: string; readonly signal: number; readonly right: boolean };

/** p(right) = 1 / (1 + e^−(scale·signal + offset)). */
export type Platt = { readonly scale: number; readonly offset: number };

/** What the confidence is worth on questions that had no part in fitting it. */
export type Calibrated = Platt & {
  readonly status: "ok";
  readonly dev: number;
  readonly test: number;
  readonly auroc: number;
  readonly aurocCi95: Interval;
  /** Mean distance of confidence and truth over ten bins of as many questions each. */
  readonly ece: number;
  /** Share of wrong answers among the most confident, in steps of 5 % of the questions. */
  readonly risk: readonly { readonly coverage: number; readonly risk: number }[];
  /** Mean of those. */
  readonly aurc: number;
};

const SALT = "gestalt-calibration-split-v1:";
const RIDGE = 1e-3;
const STEPS = 100;
const DONE = 1e-10;
const BINS = 10;

/** Which half a question is in: the reference's split, so that halves stay the same everywhere. */
export const isDev = (id: string): boolean => (new CryptoHasher("sha256").update(SALT + id).digest()[0] ?? 0) % 2 === 0;

/**
 * Fits a confidence on one half of the questions and says what it is worth on the other.
 *
 * @throws GestaltError("bad-dataset") when a half has no right or no wrong answer: nothing can be learnt, or told
 */
export function calibrate(samples: readonly Sample[]): Calibrated {
  const [dev, test] = [samples.filter(({ id }) => isDev(id)), samples.filter(({ id }) => !isDev(id))];
  for (const half of [dev, test])
    if (new Set(half.map(({ right }) => right)).size < 2)
      throw new GestaltError(
        "bad-dataset",
        "a half of the questions has only right or only wrong answers",
        "take more questions",
      );
  const { scale, offset } = plattOf(dev);
  const sure = test.map((sample) => ({ ...sample, p: sigmoid(scale * sample.signal + offset) }));
  const risk = riskOf(sure);
  return {
    status: "ok",
    scale,
    offset,
    dev: dev.length,
    test: test.length,
    auroc: aurocOf(test),
    aurocCi95: aurocInterval(test),
    ece: eceOf(sure),
    risk,
    aurc: risk.reduce((sum, each) => sum + each.risk, 0) / risk.length,
  };
}

/**
 * Platt scaling: logistic regression of right on the signal, by damped Newton steps on the standardised signal, with a
 * small ridge on the slope, so that a signal that parts the halves perfectly still has a finite one.
 *
 * @see Platt, Advances in Large Margin Classifiers, 1999
 */
export function plattOf(samples: readonly Sample[]): Platt {
  const n = samples.length;
  const mean = samples.reduce((sum, { signal }) => sum + signal, 0) / n;
  const spread = Math.sqrt(samples.reduce((sum, { signal }) => sum + (signal - mean) ** 2, 0) / n) || 1;
  const points = samples.map(({ signal, right }) => ({ x: (signal - mean) / spread, y: Number(right) }));
  const loss = (a: number, b: number): number =>
    points.reduce((sum, { x, y }) => sum + softplus(a * x + b) - y * (a * x + b), 0) + (RIDGE / 2) * a * a;
  let [a, b] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    const [da, db] = newtonStep(points, a, b);
    let damping = 1;
    while (loss(a - damping * da, b - damping * db) > loss(a, b) && damping > 1e-8) damping /= 2;
    a -= damping * da;
    b -= damping * db;
    if (Math.max(Math.abs(da), Math.abs(db)) * damping < DONE) break;
  }
  return { scale: a / spread, offset: b - (a * mean) / spread };
}

function newtonStep(points: readonly { x: number; y: number }[], a: number, b: number): readonly [number, number] {
  let [ga, gb, haa, hab, hbb] = [RIDGE * a, 0, RIDGE, 0, 0];
  for (const { x, y } of points) {
    const p = sigmoid(a * x + b);
    const w = p * (1 - p);
    ga += (p - y) * x;
    gb += p - y;
    haa += w * x * x;
    hab += w * x;
    hbb += w;
  }
  const determinant = haa * hbb - hab * hab || Number.EPSILON;
  return [(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant];
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const softplus = (x: number): number => Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));

const signalsOf = (samples: readonly Sample[], right: boolean): readonly number[] =>
  samples.filter((sample) => sample.right === right).map(({ signal }) => signal);

const aurocOf = (samples: readonly Sample[]): number => auroc(signalsOf(samples, true), signalsOf(samples, false));

/** The percentile bootstrap of AUROC; a resample without both kinds is drawn again. */
function aurocInterval(samples: readonly Sample[]): Interval {
  const random = pythonRandom(SEED);
  const values = new Float64Array(ROUNDS / 10);
  for (let round = 0; round < values.length; ) {
    const drawn = samples.map(() => samples[drawIndex(random, samples.length)]!);
    if (new Set(drawn.map(({ right }) => right)).size === 2) values[round++] = aurocOf(drawn);
  }
  return percentileInterval(values.sort());
}

type Sure = Sample & { readonly p: number };

function eceOf(sure: readonly Sure[]): number {
  const sorted = sure.toSorted((a, b) => a.p - b.p);
  let sum = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const held = sorted.slice(Math.floor((bin * sorted.length) / BINS), Math.floor(((bin + 1) * sorted.length) / BINS));
    const gap = held.reduce((total, { p, right }) => total + p - Number(right), 0);
    sum += Math.abs(gap);
  }
  return sum / sorted.length;
}

function riskOf(sure: readonly Sure[]): Calibrated["risk"] {
  const sorted = sure.toSorted((a, b) => b.p - a.p);
  return Array.from({ length: 20 }, (_, i) => {
    const coverage = (i + 1) / 20;
    const held = sorted.slice(0, Math.max(1, Math.round(coverage * sorted.length)));
    return { coverage, risk: held.filter(({ right }) => !right).length / held.length };
  });
}
