import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fusionDefaults, fusions } from "../../src/rank/fusions.ts";
import type { Ranking } from "../../src/types.ts";
import { calmLegs, idsOf, legsOf, ranking, wildLegs } from "./arbitrary.ts";

// What every fusion promises, whoever wrote it.
describe.each(Object.entries(fusions))("%s", (_, { about, fuse }) => {
  test("says what it does in a line of help", () => expect(about).toMatch(/^[^\n]{10,100}$/));

  test("loses no document, invents none and names each once", () => {
    fc.assert(
      fc.property(wildLegs, ({ lexical, dense }) => {
        const ids = idsOf(fuse({ lexical, dense }, fusionDefaults));
        const given = new Set([...idsOf(lexical.ranking), ...idsOf(dense.ranking)]);
        expect(ids).toHaveLength(given.size);
        expect(new Set(ids)).toEqual(given);
      }),
    );
  });

  test("lets no NaN and no infinity out", () => {
    fc.assert(
      fc.property(wildLegs, (legs) => {
        expect(fuse(legs, fusionDefaults).every(({ score }) => Number.isFinite(score))).toBe(true);
      }),
    );
  });

  test("gives its rows best first", () => {
    fc.assert(
      fc.property(calmLegs, (legs) => {
        const scores = fuse(legs, fusionDefaults).map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test("gives back one leg in its own order, whichever it is, ties and all", () => {
    fc.assert(
      fc.property(ranking, (one) => {
        expect(idsOf(fuse(legsOf(one, []), fusionDefaults))).toEqual(idsOf(one));
        expect(idsOf(fuse(legsOf([], one), fusionDefaults))).toEqual(idsOf(one));
      }),
    );
  });

  test("keeps an order on which both legs agree", () => {
    fc.assert(
      fc.property(ranking, (one) => {
        expect(idsOf(fuse(legsOf(one, one), fusionDefaults))).toEqual(idsOf(one));
      }),
    );
  });

  test("answers the same twice, and leaves its input alone", () => {
    fc.assert(
      fc.property(wildLegs, (legs) => {
        const before = structuredClone(legs);
        const once = fuse(legs, fusionDefaults);
        expect(fuse(legs, fusionDefaults)).toEqual(once);
        expect(legs).toEqual(before);
      }),
    );
  });

  test("of a repeated id, what stands first counts", () => {
    fc.assert(
      fc.property(ranking, ranking, (lexical, dense) => {
        const again = (rows: Ranking) => [...rows, ...rows.map(({ id }) => ({ id, score: -2e6 }))];
        const plain = fuse(legsOf(lexical, dense), fusionDefaults);
        expect(fuse(legsOf(again(lexical), again(dense)), fusionDefaults)).toEqual(plain);
      }),
    );
  });
});

test("half: neither leg comes first", () => {
  fc.assert(
    fc.property(ranking, ranking, (a, b) => {
      expect(fusions.half.fuse(legsOf(a, b))).toEqual(fusions.half.fuse(legsOf(b, a)));
    }),
  );
});

test("half: does not mind the scale of a leg, where its spread can be squared", () => {
  const rounded = (rows: Ranking, factor: number) =>
    rows.map(({ id, score }) => ({ id, score: (Math.round(score * 1000) / 1000) * factor }));
  fc.assert(
    fc.property(ranking, ranking, (a, b) => {
      expect(fusions.half.fuse(legsOf(rounded(a, 1024), b))).toEqual(fusions.half.fuse(legsOf(rounded(a, 1), b)));
    }),
  );
});

test("wrrf: at a half it is rrf to the last bit", () => {
  fc.assert(
    fc.property(calmLegs, (legs) => {
      expect(fusions.wrrf.fuse(legs, fusionDefaults)).toEqual(fusions.rrf.fuse(legs, fusionDefaults));
    }),
  );
});

test.each(["wrrf", "convex"] as const)(
  "%s: without a say for words, dense order stands and words' own follow",
  (name) => {
    fc.assert(
      fc.property(ranking, ranking, (a, b) => {
        const lexical = a.map((row, i) => ({ ...row, score: 100 - i }));
        const dense = b.map((row, i) => ({ ...row, score: -0.01 * (i + 1) }));
        const knobs = { ...fusionDefaults, alpha: 0, wBm25: 0, norm: "tmin" } as const;
        const found = new Set(idsOf(dense));
        expect(idsOf(fusions[name].fuse(legsOf(lexical, dense), knobs))).toEqual([
          ...idsOf(dense),
          ...idsOf(lexical).filter((id) => !found.has(id)),
        ]);
      }),
    );
  },
);
