import { GestaltError } from "../errors.ts";
import type { Judgements, Metric } from "./judgements.ts";
import { all } from "./metrics/all.ts";
import { map } from "./metrics/map.ts";
import { mrr } from "./metrics/mrr.ts";
import { ndcg } from "./metrics/ndcg.ts";
import { precision } from "./metrics/precision.ts";
import { recall } from "./metrics/recall.ts";
import { success } from "./metrics/success.ts";

/** Every measure of an answer. Add a line here; names, help and the law test follow. */
export const metrics = { ndcg, recall, precision, mrr, map, success, all } satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** A metric at a depth. `name` is as people write it: `ndcg@10`, `mrr`. */
export type Measure = {
  readonly name: string;
  readonly of: (ranked: readonly string[], judged: Judgements) => number;
};

/** What is reported when nobody asks for something else. */
export const defaultMeasures = ["ndcg@10", "recall@10", "recall@100", "mrr", "map", "precision@10", "success@5"];

/**
 * Reads `ndcg@10`, or `map` for the whole list.
 *
 * @throws GestaltError("usage") for a metric that does not exist, or a depth that is not a whole number of 1 or more
 */
export function measure(name: string): Measure {
  const [, metric, depth] = /^([a-z]+)(?:@([1-9]\d{0,8}))?$/.exec(name) ?? [];
  if (metric === undefined || !isMetricName(metric))
    throw new GestaltError(
      "usage",
      `unknown measure "${name}"`,
      `one of ${Object.keys(metrics).join(", ")}, as in ndcg@10`,
    );
  const k = depth === undefined ? Number.POSITIVE_INFINITY : Number(depth);
  return { name, of: (ranked, judged) => metrics[metric](ranked, judged, k) };
}

const isMetricName = (name: string): name is MetricName => Object.hasOwn(metrics, name);
