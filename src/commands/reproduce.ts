import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Expected, Verdict } from "../bench/expected.ts";
import { GestaltError } from "../errors.ts";
import { benchKnobs, benchPlace, fetchMissing } from "./bench/place.ts";
import { columns } from "./bench/tables.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { progressBar } from "./progress.ts";

/** Documents of a try. */
const SMOKE = 200;

export default command({
  name: "reproduce",
  description: "Measure again what we promise, and compare",
  args: {
    data: { kind: "path", description: "the folder that holds the data sets" },
    out: { kind: "path", description: "folder for results, runs and answers so far" },
    smoke: { kind: "boolean", description: `only ${SMOKE} documents of each set, to see that it runs: no result` },
    gate: { kind: "boolean", description: "only look whether every score in our prose is in a stored result" },
    fill: { kind: "boolean", description: "only make the tables of README.md and knowledge/ anew from stored results" },
    fetch: { kind: "boolean", description: "get data sets that are not at hand from the internet" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    if (args.fill) return await fill();
    if (args.gate) return await gate(args.json);
    const { expectedRows, exitCodeOf } = await import("../bench/expected.ts");
    const { machine } = await import("../bench/machine.ts");
    const { codeHashes } = await import("../bench/code.ts");
    const place = benchPlace(flags, args.data);
    if (args.fetch) await fetchMissing([...new Set(expectedRows().map(({ dataset }) => dataset))], place);
    const rows: { expected: Expected; verdict: Verdict }[] = [];
    for (const expected of expectedRows()) {
      const bar = progressBar(`${expected.dataset} ${expected.system}`);
      const { out, smoke } = args;
      const verdict = await measured(expected, place, { out, smoke, show: bar.show }).finally(bar.done);
      rows.push({ expected, verdict });
    }
    const code = exitCodeOf(rows.map(({ verdict }) => verdict));
    if (args.json) {
      const results = rows.map(({ expected, verdict }) => ({ ...expected, ...verdict }));
      console.log(JSON.stringify({ smoke: args.smoke, machine: machine(), code: codeHashes, results }));
      return code;
    }
    if (args.smoke) notice("a part of the data only: these numbers are no results");
    console.log(table(rows, args.smoke));
    const { system, processor, cores, bun, gestalt } = machine();
    console.log(`\ngestalt ${gestalt}, ${processor}, ${cores} cores, ${system}, Bun ${bun}`);
    for (const [room, hash] of Object.entries(codeHashes)) console.log(`${room.padEnd(7)} ${hash}`);
    return code;
  },
});

type Options = {
  readonly out: string | undefined;
  readonly smoke: boolean;
  readonly show: (a: number, b: number) => void;
};

/** Whatever keeps a cell from being measured is its reason; a broken data set is one too. */
async function measured(expected: Expected, place: ReturnType<typeof benchPlace>, options: Options): Promise<Verdict> {
  const { loadTasks } = await import("../bench/load.ts");
  const { measureOne } = await import("./bench/measure.ts");
  const { judge } = await import("../bench/expected.ts");
  const { dataset, split, system, profile, reranker } = expected;
  const settings = {
    ...place.settings,
    "embed-profile": profile ?? place.settings["embed-profile"],
    "rerank-model": reranker ?? place.settings["rerank-model"],
  };
  const { out, smoke, show } = options;
  try {
    const { data, cutting } = place;
    const [task] = loadTasks(dataset, { data, cutting, split, limitDocs: smoke ? SMOKE : undefined });
    if (task === undefined) return { outcome: "not measured", because: "it has no questions" };
    const result = await measureOne(task, system, { ...place, settings }, { out, show });
    if (result === undefined) return { outcome: "not measured", because: "only a share of it was asked" };
    if (smoke) return { outcome: "near", measured: result.measures["ndcg@10"]?.mean ?? Number.NaN };
    return judge(expected, result);
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    return { outcome: "not measured", because: error.message };
  }
}

function table(rows: readonly { readonly expected: Expected; readonly verdict: Verdict }[], smoke: boolean): string {
  const named = ({ system, profile, reranker }: Expected) => [system, profile, reranker].filter(Boolean).join(", ");
  const cells = rows.map(({ expected, verdict }) => [
    `${expected.dataset}/${expected.split}`,
    named(expected),
    expected.ndcg10.toFixed(4),
    "measured" in verdict ? verdict.measured.toFixed(4) : "–",
    smoke && "measured" in verdict ? "ran" : verdict.outcome,
  ]);
  const reasons = rows.flatMap(({ expected, verdict }) =>
    "because" in verdict ? [printable(`${expected.dataset}, ${named(expected)}: ${verdict.because}`)] : [],
  );
  const shown = columns([["data set", "system", "promised", "measured", "verdict"], ...cells]);
  return [shown, ...(reasons.length === 0 ? [] : ["", "not measured, because", ...reasons])].join("\n");
}

async function gate(json: boolean): Promise<number> {
  const { inspect } = await import("../bench/gate.ts");
  const { strays, stale } = inspect(process.cwd());
  if (json) console.log(JSON.stringify({ strays, stale }));
  for (const { file, line, number } of strays) notice(`${file}:${line}: ${number} is in no stored result`);
  for (const { file, rooms } of stale) notice(`${file} was measured with other code: ${rooms.join(", ")}`);
  if (!json && strays.length + stale.length === 0) console.log("every score in the prose is in a current result");
  return strays.length + stale.length === 0 ? 0 : 1;
}

async function fill(): Promise<number> {
  const { proseOf } = await import("../bench/gate.ts");
  const { filled } = await import("../bench/prose.ts");
  const root = process.cwd();
  for (const file of proseOf(root)) {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    const made = filled(text, join(root, "bench", "results"));
    if (made === text) continue;
    writeFileSync(path, made);
    console.log(`filled ${file}`);
  }
  return 0;
}
