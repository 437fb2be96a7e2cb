import { type Calibration, confidence } from "../rank/calibrate.ts";

/** How sure an answer looked, on any scale, and whether it was right. */
export type Point = { readonly signal: number; readonly right: boolean };

const RIDGE = 1e-3;
const STEPS = 100;
const DONE = 1e-10;

/**
 * Platt scaling: logistic regression of right on the signal, by damped Newton steps on the standardised signal, with a
 * small ridge on the slope, so that a signal that parts the halves perfectly still has a finite one.
 *
 * @see Platt, Advances in Large Margin Classifiers, 1999
 */
export function plattOf(samples: readonly Point[]): Calibration {
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
    const p = confidence(x, { scale: a, offset: b });
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

const softplus = (x: number): number => Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
