import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { drawIndex, pythonRandom } from "../../src/bench/random.ts";
import { holm, permutationTest, wilson } from "../../src/bench/significance.ts";
import {
  bootstrapInterval,
  bootstrapMeans,
  clusterBootstrapMeans,
  differences,
  mean,
  percentileInterval,
} from "../../src/bench/statistics.ts";
import { shared } from "./shared.ts";

describe("the random stream", () => {
  test.each([
    [12345, [0.41661987254534116, 0.010169169457068361, 0.8252065092537432, 0.2986398551995928, 0.3684116894884757]],
    [0, [0.8444218515250481, 0.7579544029403025]],
    [2 ** 40 + 7, [0.6137037779936511, 0.8149162973309487]],
  ])("of seed %d is what Python 3 prints", (seed, draws) => {
    const random = pythonRandom(seed);
    expect(draws.map(() => random())).toEqual(draws);
  });

  test("picks what Python's choices picks", () => {
    const random = pythonRandom(12345);
    expect(Array.from({ length: 12 }, () => drawIndex(random, 10))).toEqual([4, 0, 8, 2, 3, 1, 5, 1, 1, 4, 5, 1]);
  });

  test("stays Python's past the first 624 words", () => {
    const random = pythonRandom(12345);
    for (let i = 0; i < 9_999; i++) random();
    expect(random()).toBe(0.6262909072458637);
  });

  test("takes no seed that Python would take otherwise", () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => pythonRandom(seed)).toThrow(RangeError);
  });
});

describe("the bootstrap", () => {
  for (const set of ["scifact", "nfcorpus"]) {
    const published = shared("oracles", "reference-bm25", `beir-${set}.bm25.per_query.json`);
    published.test(`gives the published interval of the reference's BM25 on ${set}, to the fourth digit`, () => {
      const { ndcg10, ci95_bootstrap, per_query } = JSON.parse(readFileSync(published.path, "utf8"));
      const values = Object.values<number>(per_query);
      const { low, high } = bootstrapInterval(values);
      expect(mean(values).toFixed(4)).toBe(ndcg10.toFixed(4));
      expect([low.toFixed(4), high.toFixed(4)]).toEqual(ci95_bootstrap.map((end: number) => end.toFixed(4)));
    });
  }

  test("draws each resample in one go, one index after the other", () => {
    // Draws of seed 12345 below 3, from the stream above: 1 0 2, then 0 1 ...
    const [, , , , , sixth = 0] = stream(6);
    const second = [0, 1, Math.floor(sixth * 3)].map((i) => [10, 20, 60][i] ?? Number.NaN);
    const sorted = [(20 + 10 + 60) / 3, mean(second)].sort((a, b) => a - b);
    expect([...bootstrapMeans([10, 20, 60], { rounds: 2 })]).toEqual(sorted);
  });

  test("takes the ends at index 250 and 9,749 of 10,000", () => {
    const sorted = Float64Array.from({ length: 10_000 }, (_, i) => i);
    expect(percentileInterval(sorted)).toEqual({ low: 250, high: 9_749 });
    expect(percentileInterval(sorted, 0.9)).toEqual({ low: 500, high: 9_499 });
  });

  test("of clusters of one is the plain bootstrap", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 20 }), (values) => {
        const own = values.map((_, i) => String(i));
        expect(clusterBootstrapMeans(values, own, { rounds: 50 })).toEqual(bootstrapMeans(values, { rounds: 50 }));
      }),
      { numRuns: 20 },
    );
  });

  test("of clusters keeps a cluster together and weighs it by its size", () => {
    // Draws below 2 of seed 12345: 0 0, 1 0, 0 ... ; cluster a holds 1 and 2, cluster b holds 9.
    const means = clusterBootstrapMeans([1, 9, 2], ["a", "b", "a"], { rounds: 2 });
    expect([...means]).toEqual([(1 + 2 + 1 + 2) / 4, (9 + 1 + 2) / 3]);
  });

  test("of one cluster has no width, for one conversation is one piece of evidence", () => {
    const sorted = clusterBootstrapMeans([0, 1, 1], ["a", "a", "a"]);
    expect(percentileInterval(sorted)).toEqual({ low: 2 / 3, high: 2 / 3 });
  });

  test("of nothing is refused, not reported as 0", () => {
    expect(() => mean([])).toThrow(RangeError);
    expect(() => bootstrapInterval([])).toThrow(RangeError);
    expect(() => clusterBootstrapMeans([1], [])).toThrow(RangeError);
  });
});

const stream = (n: number): number[] => {
  const random = pythonRandom(12345);
  return Array.from({ length: n }, () => random());
};

describe("the permutation test", () => {
  test("of one query cannot reject anything", () => {
    expect(permutationTest([0.4])).toBe(1);
  });

  test("of no difference gives 1", () => {
    expect(permutationTest([0, 0, 0])).toBe(1);
  });

  test("counts by hand: two queries, four permutations", () => {
    // Draws .417 .010, .825 .299, ...: signs ++, -+, and the rest as drawn. |mean| is 2 for ++ and --, else 1.
    const draws = stream(8).map((draw) => draw < 0.5);
    const extreme = [0, 2, 4, 6].filter((i) => draws[i] === draws[i + 1]).length;
    expect(draws.slice(0, 4)).toEqual([true, true, false, true]);
    expect(permutationTest([1, 3], { rounds: 4 })).toBe((extreme + 1) / 5);
  });

  test("does not care which system is named first", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }), (paired) => {
        const turned = paired.map((difference) => -difference);
        expect(permutationTest(turned, { rounds: 100 })).toBe(permutationTest(paired, { rounds: 100 }));
      }),
    );
  });

  test("comes near the exact share of the 2^n sign patterns", () => {
    // All eight differences are 1: only +…+ and -…- are as extreme, 2 of 256.
    expect(permutationTest(new Array<number>(8).fill(1))).toBeCloseTo(2 / 256, 2);
  });

  test("pairs only what can be paired", () => {
    expect(differences([3, 5], [1, 5])).toEqual([2, 0]);
    expect(() => differences([1], [1, 2])).toThrow(RangeError);
  });
});

describe("Holm's correction", () => {
  test("is what it is by hand", () => {
    // Sorted .01 .03 .04: times 3, 2, 1 gives .03 .06 .04, and the last may not fall below the one before.
    expect(holm([0.04, 0.01, 0.03]).map((p) => Number(p.toFixed(10)))).toEqual([0.06, 0.03, 0.06]);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([0.02])).toEqual([0.02]);
    expect(holm([])).toEqual([]);
  });

  test("never lowers a p-value and never changes their order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (p) => {
        const corrected = holm(p);
        for (const [i, value] of p.entries()) {
          expect(corrected[i]).toBeGreaterThanOrEqual(value);
          for (const [j, other] of p.entries())
            if (value <= other) expect(corrected[i]!).toBeLessThanOrEqual(corrected[j]!);
        }
      }),
    );
  });
});

describe("Wilson's interval", () => {
  test("is what the published examples have", () => {
    // Newcombe, Statistics in Medicine 1998, table I, method 3.
    const rounded = (hits: number, n: number): string[] => {
      const { low, high } = wilson(hits, n);
      return [low.toFixed(4), high.toFixed(4)];
    };
    expect(rounded(81, 263)).toEqual(["0.2553", "0.3662"]);
    expect(rounded(15, 148)).toEqual(["0.0624", "0.1605"]);
    expect(rounded(0, 20)).toEqual(["0.0000", "0.1611"]);
    expect(rounded(1, 29)).toEqual(["0.0061", "0.1718"]);
  });

  test("refuses what is not a share", () => {
    for (const [hits, n] of [
      [1, 0],
      [3, 2],
      [-1, 2],
    ] as const)
      expect(() => wilson(hits, n)).toThrow(RangeError);
  });
});
