import { readFileSync } from "node:fs";
import type { Scores } from "../../bench/result.ts";
import { GestaltError, messageOf } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { columns, comparisonCells } from "./tables.ts";

export default command({
  name: "compare",
  description: "Compare two stored results query by query",
  args: {
    from: { kind: "positional", required: true, description: "a result that gestalt bench --out wrote" },
    to: { kind: "positional", required: true, description: "another, on the same queries" },
    measure: { kind: "text", description: "what is compared (default ndcg@10)" },
    changes: {
      kind: "integer",
      range: [0, 1000],
      description: "how many of the changed queries are shown (default 10)",
    },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { readScores } = await import("../../bench/result.ts");
    const { compare } = await import("../../bench/compare.ts");
    const name = args.measure ?? "ndcg@10";
    const [from, to] = [args.from, args.to].map((file) => readScores(file, textOf(file), name));
    if (from === undefined || to === undefined) return;
    const comparison = compare(from, to);
    if (args.json) {
      console.log(JSON.stringify({ measure: name, ...comparison }));
      return;
    }
    if (from.smoke || to.smoke) notice("a part of the data only: a try, not a result");
    const rows = [from, to].map((scores: Scores, i) => [
      scores.name,
      (i === 0 ? comparison.fromMean : comparison.toMean).toFixed(4),
    ]);
    const head = [name, "95 %", "p", "p (Holm)", "better", "worse", "same"];
    console.log(columns([["", name], ...rows], 1));
    console.log(
      `\n${columns(
        [
          ["", ...head],
          ["difference", ...comparisonCells(comparison, undefined)],
        ],
        1,
      )}`,
    );
    const changed = comparison.changes.slice(0, args.changes ?? 10);
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
