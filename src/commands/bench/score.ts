import { command } from "../command.ts";
import { columns } from "./tables.ts";

export default command({
  name: "score",
  description: "Score anybody's run file against judgements, as trec_eval does",
  args: {
    run: { kind: "positional", required: true, description: "a run: query Q0 document rank score tag" },
    qrels: { kind: "positional", required: true, description: "judgements, in TREC's or BEIR's columns" },
    measure: { kind: "list", description: "ndcg@10, map, …; repeatable, or parted by commas" },
    json: { kind: "boolean", description: "one JSON object, with the value of each query" },
  },
  async run({ args }) {
    const { defaultMeasures, measure } = await import("../../bench/metrics.ts");
    const { readQrels, readRun } = await import("../../bench/trec.ts");
    const { score } = await import("../../bench/score.ts");
    const names = args.measure.length > 0 ? args.measure.flatMap((list) => list.split(",")) : defaultMeasures;
    const scored = score(readRun(args.run), readQrels(args.qrels), names.map(measure));
    const { queries, excluded, missing, unjudged } = scored;
    if (args.json) {
      const { measuresOf } = await import("../../bench/result.ts");
      console.log(JSON.stringify({ queries, excluded, missing, unjudged, measures: measuresOf(scored) }));
      return;
    }
    const rows = [...scored.measures].map(([name, { mean, ci95 }]) => [
      name,
      mean.toFixed(4),
      `${ci95.low.toFixed(4)}..${ci95.high.toFixed(4)}`,
    ]);
    console.log(columns([["measure", "mean", "95 %"], ...rows], 1));
    console.log(
      `${queries.length} queries; ${missing} without an answer count as 0; ${excluded} with nothing relevant and ${unjudged} that nobody judged do not count`,
    );
  },
});
