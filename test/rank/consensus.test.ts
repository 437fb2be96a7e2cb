import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ConsensusKnobs, consensus, consensusDefaults } from "../../src/rank/consensus.ts";
import type { Ranking } from "../../src/types.ts";
import { idsOf, of, ranking, wild } from "./arbitrary.ts";

const plane: ReadonlyMap<number, Float32Array> = new Map([
  [1, new Float32Array([1, 0])],
  [2, new Float32Array([0.6, 0.8])],
  [3, new Float32Array([0, 1])],
  [4, new Float32Array([-1, 0])],
]);
/** The cosines of rows whose vectors are given. */
const by =
  (vectorOf: (id: number) => Float32Array | undefined) =>
  (ids: readonly number[]): readonly (Float32Array | undefined)[] => {
    const vectors = ids.map(vectorOf);
    return vectors.map(
      (a) =>
        a && Float32Array.from(vectors, (b) => (b === undefined ? 0 : a.reduce((sum, v, i) => sum + v * b[i]!, 0))),
    );
  };
const onPlane = by((id) => plane.get(id));
const scores = of([1, 3], [2, 2], [3, 1]);

/** Seven numbers, so that the unrolled sum has a rest; every sixth id has no vector. */
const spread = (id: number): Float32Array | undefined => {
  const raw = Array.from({ length: 7 }, (_, i) => Math.sin((id + 1) * (i + 2) * 1.7));
  const length = Math.hypot(...raw);
  return id % 6 === 5 ? undefined : new Float32Array(raw.map((v) => v / length));
};

const bySpread = by(spread);

const scoreOf = (rows: Ranking, id: number): number => rows.find((row) => row.id === id)!.score;

describe("the sum, by hand: cos(1,2) = 0.6, cos(2,3) = 0.8, cos(1,3) = 0", () => {
  test.each([
    [{ lambda: 0.5, k: 10, power: 1 }, 2.5, 1 + (0.6 * 3 + 0.8 * 1) / 1.4 / 2, 1.5],
    [{ lambda: 0.5, k: 10, power: 2 }, 2.5, 1 + (0.36 * 3 + 0.64 * 1) / 2, 1.5],
    [{ lambda: 0.3, k: 10, power: 1 }, 2.7, 1.4 + 0.3 * (2.6 / 1.4), 1.3],
    [{ lambda: 0.5, k: 1, power: 1 }, 2.5, 1.5, 1.5],
    [{ lambda: 1, k: 1, power: 8 }, 2, 1, 2],
  ])("%j", (knobs, first, second, third) => {
    const out = consensus(scores, onPlane, knobs);
    for (const [id, score] of [first, second, third].entries()) expect(scoreOf(out, id + 1)).toBeCloseTo(score, 6);
  });
});

test("a row that only sees others at a negative or no cosine keeps its score", () => {
  expect(consensus(of([1, 3], [4, 1]), onPlane)).toEqual(of([1, 3], [4, 1]));
  expect(consensus(of([1, 3], [3, 1]), onPlane)).toEqual(of([1, 3], [3, 1]));
});

describe("a row without a vector", () => {
  const half: ConsensusKnobs = { lambda: 0.5, k: 10, power: 8 };

  test("moves as far as is likely at its score, and moves no other", () => {
    // The neighbours of 1 stand at 2, those of 2 at 3: 2.5 is likely anywhere.
    const out = consensus(of([9, 5], [1, 3], [2, 2]), onPlane, half);
    expect(scoreOf(out, 9)).toBeCloseTo(3.75, 6);
    expect(scoreOf(out, 1)).toBeCloseTo(2.5, 6);
    expect(scoreOf(out, 2)).toBeCloseTo(2.5, 6);
  });

  test("has no better place than its equal whose neighbours stand where neighbours stand", () => {
    // 1 and 3 are the neighbours of 2, and 2 of them: whoever has no vector must not pass 1 for that alone.
    const out = consensus(of([1, 3], [9, 3], [2, 2], [3, 1]), onPlane, half);
    expect(scoreOf(out, 9)).toBeLessThanOrEqual(scoreOf(out, 1));
  });

  test("keeps its score when nothing is known of anybody's neighbours", () => {
    const rows = of([9, 5], [1, 3], [4, 1]);
    expect(consensus(rows, onPlane, half)).toEqual(rows);
    expect(
      consensus(
        rows,
        by(() => undefined),
        half,
      ),
    ).toEqual(rows);
  });
});

test("a note among good company passes a lonely one that stood above it", () => {
  // 2 and 3 lie close together, 4 stands alone.
  const out = consensus(of([3, 3], [4, 2], [2, 1.9]), onPlane, consensusDefaults);
  expect(idsOf(out)).toEqual([3, 2, 4]);
});

test("is the formula written out plainly, for any ranking", () => {
  const knobs: ConsensusKnobs = { lambda: 0.4, k: 3, power: 2 };
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
    a === undefined || b === undefined ? 0 : a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  fc.assert(
    fc.property(ranking, (rows) => {
      const out = consensus(rows, bySpread, knobs);
      // Cosines are in single precision.
      const tolerance = 1e-5 * Math.max(1, ...rows.map((row) => Math.abs(row.score)));
      for (const { id, score } of rows.filter((row) => spread(row.id) !== undefined)) {
        const near = rows
          .filter((row) => row.id !== id)
          .map((row) => ({ w: Math.max(0, cosine(spread(id), spread(row.id))) ** knobs.power, s: row.score }))
          .sort((a, b) => b.w - a.w)
          .slice(0, knobs.k);
        const total = near.reduce((sum, { w }) => sum + w, 0);
        const mean = near.reduce((sum, { w, s }) => sum + w * s, 0) / total;
        const expected = total === 0 ? score : (1 - knobs.lambda) * score + knobs.lambda * mean;
        expect(Math.abs(scoreOf(out, id) - expected)).toBeLessThanOrEqual(tolerance);
      }
    }),
  );
});

test("loses nothing, invents nothing and lets no NaN out", () => {
  fc.assert(
    fc.property(wild, (rows) => {
      const tame = rows.map(({ id, score }) => ({ id, score: Math.abs(score) > 1e150 ? Number.NaN : score }));
      const out = consensus(tame, bySpread);
      expect(new Set(idsOf(out))).toEqual(new Set(idsOf(rows)));
      expect(out).toHaveLength(rows.length);
      expect(out.every(({ score }) => Number.isFinite(score))).toBe(true);
    }),
  );
});

test("never leaves the range of the scores it was given", () => {
  fc.assert(
    fc.property(ranking, (rows) => {
      const given = rows.map(({ score }) => score);
      for (const { score } of consensus(rows, bySpread)) {
        expect(score).toBeGreaterThanOrEqual(Math.min(...given) - 1e-6);
        expect(score).toBeLessThanOrEqual(Math.max(...given) + 1e-6);
      }
    }),
  );
});

test("does not mind the scale: a·s + b gives a·s' + b, so no normaliser is needed before it", () => {
  fc.assert(
    fc.property(ranking, (rows) => {
      const moved = rows.map(({ id, score }) => ({ id, score: 3 * score - 7 }));
      const plain = consensus(rows, bySpread);
      for (const { id, score } of consensus(moved, bySpread))
        expect(Math.abs(score - (3 * scoreOf(plain, id) - 7))).toBeLessThanOrEqual(1e-6);
    }),
  );
});

test.each<[string, ConsensusKnobs]>([
  ["lambda", { ...consensusDefaults, lambda: 0 }],
  ["k", { ...consensusDefaults, k: 0 }],
])("at %s 0 it changes nothing", (_, knobs) => {
  fc.assert(fc.property(ranking, (rows) => expect(consensus(rows, bySpread, knobs)).toEqual(rows)));
});

test("equal scores stay exactly equal, and in their order", () => {
  fc.assert(
    fc.property(ranking, fc.integer({ min: -99, max: 99 }), (rows, hundredths) => {
      const score = hundredths / 100;
      const level = rows.map(({ id }) => ({ id, score }));
      expect(consensus(level, bySpread)).toEqual(level);
    }),
  );
});

test("a broken vector makes its row an outsider and harms no other", () => {
  const broken = by((id) => (id === 4 ? new Float32Array([Number.NaN, 1]) : plane.get(id)));
  const out = consensus([...scores, { id: 4, score: 0 }], broken);
  expect(scoreOf(out, 4)).toBe(0);
  expect(out.filter(({ id }) => id !== 4)).toEqual([...consensus(scores, onPlane)]);
});

test("two equal vectors, whose product may round above 1, agree in full", () => {
  const out = consensus(
    of([7, 4], [8, 2]),
    by(() => new Float32Array([1.0001, 0])),
    { lambda: 0.5, k: 10, power: 8 },
  );
  expect(out).toEqual(of([7, 3], [8, 3]));
});
