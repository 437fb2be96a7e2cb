import { readFileSync } from "node:fs";
import { GestaltError, messageOf } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { columns, comparisonRows } from "./tables.ts";

export default command({
  name: "compare",
  description: "Compare stored results query by query: the last with each before it",
  args: {
    results: {
      kind: "positional",
      many: true,
      required: true,
      description: "results that gestalt bench --out wrote, on the same queries",
    },
    measure: { kind: "text", description: "what is compared (default ndcg@10)" },
    changes: {
      kind: "integer",
      range: [0, 1000],
      description: "of two results: how many of the changed queries are shown (default 10)",
    },
    out: { kind: "path", description: "a file to keep the comparison in" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { readScores } = await import("../../bench/result.ts");
    const { compareLast, storedComparisons } = await import("../../bench/compare.ts");
    const name = args.measure ?? "ndcg@10";
    if (args.results.length < 2)
      throw new GestaltError("usage", "it takes two results or more", "gestalt bench compare A.json B.json");
    const scores = args.results.map((file) => readScores(file, textOf(file), name));
    const comparisons = compareLast(scores);
    if (args.out !== undefined) {
      const { writeWhole } = await import("../../bench/whole.ts");
      writeWhole(args.out, storedComparisons(name, comparisons));
    }
    if (args.json) {
      console.log(JSON.stringify({ measure: name, comparisons }));
      return;
    }
    if (scores.some(({ smoke }) => smoke)) notice("a part of the data only: a try, not a result");
    const [first] = comparisons;
    if (first === undefined) return;
    const means = [...comparisons.map(({ from, fromMean }) => [from, fromMean] as const), [first.to, first.toMean]];
    console.log(columns([["", name], ...means.map(([system, mean]) => [String(system), Number(mean).toFixed(4)])], 1));
    console.log(`\n${comparisonRows(name, comparisons)}`);
    const changed = comparisons.length > 1 ? [] : first.changes.slice(0, args.changes ?? 10);
    if (changed.length === 0) return;
    const listed = changed.map(({ query, from, to }) => [query, from.toFixed(4), to.toFixed(4)]);
    console.log(`\n${columns([["changed most", "from", "to"], ...listed], 1)}`);
  },
});

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} cannot be read: ${messageOf(error)}`, "gestalt bench --out DIR");
  }
}
