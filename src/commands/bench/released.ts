import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import released from "../../../bench/released-systems.json" with { type: "json" };
import { command } from "../command.ts";
import { columns } from "./tables.ts";

export default command({
  name: "released",
  description: "Show what others publish beside what we have stored",
  args: {
    results: { kind: "path", description: "folder of stored results (default bench/results)" },
    plot: { kind: "path", description: "a file for a plot of size and quality on SciFact, in SVG" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { ndcgOf } = await import("../../bench/prose.ts");
    const folder = args.results ?? join("bench", "results");
    const files = existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => file.endsWith(".json"))
          .sort()
      : [];
    const ours = files.flatMap((file) => ndcgOf(join(folder, file), readFileSync(join(folder, file), "utf8")) ?? []);
    if (args.json) {
      console.log(JSON.stringify({ released, ours }));
      return;
    }
    if (args.plot !== undefined) {
      const { scatter } = await import("../../bench/svg.ts");
      const { writeWhole } = await import("../../bench/whole.ts");
      const others = released.systems.flatMap(({ name, parameters, scifact }) =>
        parameters === undefined ? [] : [{ label: name, x: parameters / 1e6, y: scifact, ours: false }],
      );
      const mine = ours.flatMap(({ dataset, split, system, embedder, mean }) => {
        const parameters = released.systems.find(({ name }) => name.toLowerCase() === embedder)?.parameters;
        return dataset !== "scifact" || split !== "test" || parameters === undefined
          ? []
          : [{ label: `gestalt ${system}`, x: parameters / 1e6, y: mean, ours: true }];
      });
      const axes = { x: "millions of parameters", y: "nDCG@10 on SciFact", logX: true };
      writeWhole(
        args.plot,
        scatter({ title: "Size and quality of released systems", ...axes, points: [...others, ...mine] }),
      );
    }
    const shown = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(4));
    const rows = [
      ...released.systems.map(({ name, type, scifact, nfcorpus, fiqa, source }) => [
        name,
        type,
        shown(scifact),
        shown(nfcorpus),
        shown(fiqa),
        source,
      ]),
      ...[...Map.groupBy(ours, ({ system }) => system)].map(([system, held]) => {
        const of = (set: string) => held.find(({ dataset, split }) => dataset === set && split === "test")?.mean;
        return [
          `gestalt ${system}`,
          "ours",
          shown(of("scifact")),
          shown(of("nfcorpus")),
          shown(of("fiqa")),
          "measured here",
        ];
      }),
    ].sort((a, b) => ((a[2] ?? "") < (b[2] ?? "") ? 1 : -1));
    console.log(columns([["nDCG@10", "type", "scifact", "nfcorpus", "fiqa", "  source"], ...rows], 2));
    console.log(`\n${released.note}`);
  },
});
