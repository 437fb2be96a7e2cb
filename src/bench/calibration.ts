import { CryptoHasher } from "bun";
import { GestaltError } from "../errors.ts";
import { type Calibration, confidence } from "../rank/calibrate.ts";
import { type Looked, signals, top } from "./confidence-signals.ts";
import { aurocTest, type Worth, worthOf } from "./discrimination.ts";
import { plattOf } from "./platt.ts";
import { holm } from "./significance.ts";
import type { Draws } from "./statistics.ts";

/** What an answer looked like, and whether it was right. */
export type Sample = Looked & { readonly id: string; readonly right: boolean };

/**
 * What came of one signal: a confidence fitted on one half of the questions, and what it is worth on the other. `p` is
 * that of telling right from wrong no better or worse than `top1`, corrected for how many signals there are.
 */
export type SignalReport = {
  readonly calibration: Calibration & { readonly status: "ok"; readonly dev: number };
  readonly test: Worth & { readonly questions: number };
  readonly p?: number;
};

const SALT = "gestalt-calibration-split-v1:";

/** Which half a question is in: the reference's split, so that halves stay the same everywhere. */
export const isDev = (id: string): boolean => (new CryptoHasher("sha256").update(SALT + id).digest()[0] ?? 0) % 2 === 0;

/**
 * Fits a confidence for each signal that all answers have, and says what it is worth. Questions without an answer are
 * left out: there is nothing to be sure of.
 *
 * @throws GestaltError("bad-dataset") when a half has no right or no wrong answer: nothing can be learnt, or told
 */
export function calibrate(all: readonly Sample[], draws?: Draws): Readonly<Record<string, SignalReport>> {
  const samples = all.filter((sample) => top(sample) !== undefined);
  const median = medianOf(samples.flatMap((sample) => top(sample) ?? []));
  const halves = [samples.filter(({ id }) => isDev(id)), samples.filter(({ id }) => !isDev(id))] as const;
  for (const half of halves) {
    const right = half.filter((sample) => sample.right).length;
    if (right === 0 || right === half.length)
      throw new GestaltError(
        "bad-dataset",
        `of the ${half.length} questions of one half ${right === 0 ? "none" : "all"} were answered rightly: there is nothing to tell apart`,
        "a data set with more questions, or harder ones",
      );
  }
  const values = Object.entries(signals).flatMap(([name, signal]) => {
    const [dev, test] = halves.map((half) => half.flatMap((sample) => signal(sample, median) ?? []));
    return dev?.length === halves[0].length && test?.length === halves[1].length ? [{ name, dev, test }] : [];
  });
  const right = halves[1].map((sample) => sample.right);
  const first = values.find(({ name }) => name === "top1");
  const others = values.filter((each) => each !== first);
  const p = holm(others.map(({ test }) => aurocTest(first?.test ?? [], test, right, draws)));
  return Object.fromEntries(
    values.map((each) => {
      const report = reportOf(each.dev, each.test, halves, draws);
      return [each.name, each === first ? report : { ...report, p: p[others.indexOf(each)] ?? 1 }];
    }),
  );
}

function reportOf(
  dev: readonly number[],
  test: readonly number[],
  [devHalf, testHalf]: readonly [readonly Sample[], readonly Sample[]],
  draws: Draws | undefined,
): SignalReport {
  const fitted = plattOf(dev.map((signal, i) => ({ signal, right: devHalf[i]?.right ?? false })));
  const sure = test.map((signal, i) => ({
    signal,
    p: confidence(signal, fitted),
    right: testHalf[i]?.right ?? false,
  }));
  return {
    calibration: { status: "ok", ...fitted, dev: dev.length },
    test: { questions: test.length, ...worthOf(sure, draws) },
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
