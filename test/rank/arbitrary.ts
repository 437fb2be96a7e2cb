import fc from "fast-check";
import type { Legs } from "../../src/rank/ranking.ts";
import type { Ranking } from "../../src/types.ts";

/** Scores as scorers give them, with many ties. Adding 0 makes of −0 a 0: the two are one score. */
const score = fc
  .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }))
  .map((number) => number + 0);

const rows = (scores: fc.Arbitrary<number>, maxLength: number) =>
  fc.uniqueArray(fc.record({ id: fc.nat(60), score: scores }), { selector: (row) => row.id, maxLength });

/** Unique ids, best first, finite: what `Ranking` promises. */
export const ranking: fc.Arbitrary<Ranking> = rows(score, 40).map((found) =>
  found.toSorted((a, b) => b.score - a.score),
);

/** Unique ids, and nothing else to rely on: any order, NaN, infinities, the largest and smallest numbers. */
export const wild: fc.Arbitrary<Ranking> = rows(fc.oneof(fc.double(), score), 40);

const legs = (of: fc.Arbitrary<Ranking>): fc.Arbitrary<Legs> =>
  fc.record({ lexical: of, dense: of }).map((pair) => legsOf(pair.lexical, pair.dense));

export const calmLegs = legs(ranking);
export const wildLegs = legs(wild);

/** BM25 is never below 0, minus the distance of two unit vectors never below −2. */
export const legsOf = (lexical: Ranking, dense: Ranking): Legs => ({
  lexical: { ranking: lexical, floor: 0 },
  dense: { ranking: dense, floor: -2 },
});

export const idsOf = (rows: Ranking): number[] => rows.map(({ id }) => id);

/** `[id, score]` pairs as a ranking: sums by hand stay readable. */
export const of = (...pairs: readonly (readonly [id: number, score: number])[]): Ranking =>
  pairs.map(([id, score]) => ({ id, score }));
