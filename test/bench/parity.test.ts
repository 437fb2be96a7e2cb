import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { loadBeir } from "../../src/bench/beir.ts";
import { isFields } from "../../src/bench/json.ts";
import { measure } from "../../src/bench/metrics.ts";
import { score } from "../../src/bench/score.ts";
import { permutationTest } from "../../src/bench/significance.ts";
import { differences } from "../../src/bench/statistics.ts";
import type { SystemName } from "../../src/bench/systems.ts";
import { beirTask } from "../../src/bench/task.ts";
import { runTrial } from "../../src/bench/trial.ts";
import { folderWith } from "./files.ts";
import { plainSettings } from "./settings.ts";
import { shared } from "./shared.ts";

async function measured(dataset: string, dir: string, system: SystemName) {
  const scratch = folderWith({});
  const task = beirTask(loadBeir(dir, "test", dataset), { ceiling: 2000, overlap: 150 });
  const trial = await runTrial(task, system, {
    settings: plainSettings(),
    models: scratch,
    cache: scratch,
    out: scratch,
  });
  const { queries, measures } = score(trial.run, task.qrels, [measure("ndcg@10")]);
  const ndcg = measures.get("ndcg@10");
  if (ndcg === undefined) throw new Error("no ndcg@10");
  return { ...ndcg, byQuery: new Map(queries.map((query, i) => [query, ndcg.values[i]])) };
}

function published(file: string): { byQuery: Map<string, unknown>; mean: unknown; ci95: unknown } {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isFields(value) || !isFields(value["per_query"])) throw new Error(`${file} is no oracle`);
  return {
    byQuery: new Map(Object.entries(value["per_query"])),
    mean: value["ndcg10"],
    ci95: value["ci95_bootstrap"],
  };
}

const rounded = (value: number | undefined, digits: number): number => Number(value?.toFixed(digits));

for (const [dataset, queries] of [
  ["scifact", 300],
  ["nfcorpus", 323],
] as const) {
  const data = shared("beir", dataset);
  const oracle = shared("oracles", "reference-bm25", `beir-${dataset}.bm25.per_query.json`);

  data.test(
    `${dataset}: BM25 through our store is the reference's, query by query, and so are mean and interval`,
    async () => {
      const theirs = published(oracle.path);
      const ours = await measured(dataset, data.path, "reference-bm25");
      const different = [...theirs.byQuery].filter(([query, value]) => rounded(ours.byQuery.get(query), 5) !== value);
      expect(different).toEqual([]);
      expect(ours.byQuery.size).toBe(queries);
      expect(rounded(ours.mean, 4)).toBe(Number(theirs.mean));
      expect([ours.ci95.low, ours.ci95.high].map((end) => rounded(end, 4))).toEqual([theirs.ci95].flat().map(Number));
    },
    600_000,
  );

  data.test(
    `${dataset}: our words alone are no worse than the reference's`,
    async () => {
      const ours = await measured(dataset, data.path, "lexical");
      const theirs = published(oracle.path).byQuery;
      const paired = differences(
        [...theirs.keys()].map((query) => ours.byQuery.get(query) ?? 0),
        [...theirs.values()].map(Number),
      );
      const mean = paired.reduce((sum, difference) => sum + difference, 0) / paired.length;
      expect(mean > 0 || permutationTest(paired) > 0.05).toBe(true);
    },
    600_000,
  );
}

const docs = shared("beir", "anthropic-docs");
docs.test(
  "on sections of documentation our words alone reach 0.745, where the reference's form has 0.697",
  async () => {
    expect(rounded((await measured("anthropic-docs", docs.path, "reference-bm25")).mean, 3)).toBe(0.697);
    expect((await measured("anthropic-docs", docs.path, "lexical")).mean).toBeGreaterThanOrEqual(0.745);
  },
  600_000,
);
