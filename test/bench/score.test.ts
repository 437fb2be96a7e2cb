import { expect, test } from "bun:test";
import type { Qrels, Run } from "../../src/bench/judgements.ts";
import { measure } from "../../src/bench/metrics.ts";
import { score } from "../../src/bench/score.ts";

const list = (...ids: readonly string[]) => ids.map((id) => ({ id, score: 1 }));
const qrels: Qrels = new Map([
  ["found", new Map([["a", 1]])],
  ["second", new Map([["b", 2]])],
  ["unanswered", new Map([["c", 1]])],
  ["hopeless", new Map([["d", 0]])],
]);
const run: Run = new Map([
  ["second", list("x", "b")],
  ["found", list("a")],
  ["nobody judged", list("a")],
  ["hopeless", list("d")],
]);

test("a query without an answer counts as 0, one without a relevant document does not count", () => {
  const { queries, missing, excluded, unjudged, measures } = score(run, qrels, [measure("mrr")]);
  expect(queries).toEqual(["found", "second", "unanswered"]);
  expect({ missing, excluded, unjudged }).toEqual({ missing: 1, excluded: 1, unjudged: 1 });
  expect(measures.get("mrr")?.values).toEqual([1, 1 / 2, 0]);
  expect(measures.get("mrr")?.mean).toBe(1.5 / 3);
});

test("the order of a list is its ranking, whatever its scores", () => {
  const listed: Run = new Map([
    [
      "found",
      [
        { id: "x", score: 0 },
        { id: "a", score: 9 },
      ],
    ],
  ]);
  expect(score(listed, qrels, [measure("mrr")]).measures.get("mrr")?.values[0]).toBe(1 / 2);
});

test("the interval holds the mean and lies within 0 and 1", () => {
  const summary = score(run, qrels, [measure("ndcg@10")]).measures.get("ndcg@10");
  expect(summary?.ci95.low).toBeGreaterThanOrEqual(0);
  expect(summary?.ci95.high).toBeLessThanOrEqual(1);
  expect(summary && summary.ci95.low <= summary.mean && summary.mean <= summary.ci95.high).toBe(true);
});

test("a run for other queries is an error, and one that found nothing is a score of 0", () => {
  expect(() => score(new Map([["other", list("a")]]), qrels, [])).toThrow("answers none of the 3 queries");
  expect(() => score(run, new Map([["q", new Map([["d", 0]])]]), [])).toThrow("none of the 0 queries");
  const nothing = score(new Map([["found", []]]), qrels, [measure("map")]);
  expect(nothing.measures.get("map")?.mean).toBe(0);
  expect(nothing.missing).toBe(3);
});
