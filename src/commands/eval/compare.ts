import { columns } from "../bench/tables.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";

export default command({
  name: "compare",
  description: "Compare two outcomes of gestalt eval run --out; exit with 1 when search got worse",
  args: {
    before: { kind: "positional", required: true, description: "the outcome to compare with" },
    after: { kind: "positional", required: true, description: "the outcome that may be worse" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { readEvaluation } = await import("../../bench/evaluation.ts");
    const { compareEvaluations } = await import("../../bench/regression.ts");
    const changes = compareEvaluations(readEvaluation(args.before), readEvaluation(args.after));
    const regressed = changes.some((change) => change.regressed);
    if (args.json) console.log(JSON.stringify({ regressed, changes }));
    else {
      const rows = changes.map(({ k, before, after, lost, won, high, regressed }) => [
        `found in the first ${k}`,
        String(before),
        String(after),
        String(won.length),
        String(lost.length),
        high.toFixed(3),
        regressed ? "worse" : "no worse",
      ]);
      console.log(columns([["", "before", "after", "won", "lost", "95th percentile", "verdict"], ...rows], 1));
      for (const id of changes.at(-1)?.lost ?? []) notice(`lost: ${id}`);
    }
    return regressed ? 1 : 0;
  },
});
