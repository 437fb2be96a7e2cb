import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Expected } from "../bench/expected.ts";
import { GestaltError } from "../errors.ts";
import { benchPlace, fetchMissing } from "./bench/place.ts";
import { command } from "./command.ts";
import { notice } from "./failure.ts";
import { machineKnobs, measureAll, SMOKE } from "./reproduce/promises.ts";
import { compareLegs, promiseTable } from "./reproduce/tables.ts";

export default command({
  name: "reproduce",
  description: "Measure again what we promise, and compare",
  args: {
    datasets: { kind: "positional", many: true, description: "only these data sets" },
    system: { kind: "list", description: "only these systems, a,b,c" },
    data: { kind: "path", description: "the folder that holds the data sets" },
    out: { kind: "path", description: "folder for results, runs and comparisons" },
    smoke: { kind: "boolean", description: `only ${SMOKE} documents of each set, to see that it runs: no result` },
    gate: { kind: "boolean", description: "only look whether every score in our prose is in a stored result" },
    fill: { kind: "boolean", description: "only make the tables of README.md and knowledge/ anew from stored results" },
    fetch: { kind: "boolean", description: "get data sets that are not at hand from the internet" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: ["bench-cache", ...machineKnobs],
  async run({ args, flags }) {
    if (args.fill) return await fill();
    if (args.gate) return await gate(args.json);
    const { expectedRows, exitCodeOf } = await import("../bench/expected.ts");
    const { machine } = await import("../bench/machine.ts");
    const { codeHashes } = await import("../bench/code.ts");
    const promises = chosen(expectedRows(), args.datasets, args.system);
    const place = benchPlace(flags, args.data);
    if (args.fetch) await fetchMissing([...new Set(promises.map(({ dataset }) => dataset))], place);
    const { out, smoke } = args;
    const rows = await measureAll(promises, place, { flags, out, smoke });
    const code = exitCodeOf(rows.map(({ verdict }) => verdict));
    const legs = await compareLegs(rows, out);
    if (args.json) {
      const results = rows.map(({ expected, verdict }) => ({ ...expected, ...verdict }));
      const comparisons = legs.map(({ changes: _, ...kept }) => kept);
      console.log(JSON.stringify({ smoke, machine: machine(), code: codeHashes, results, comparisons }));
      return code;
    }
    if (smoke) notice("a part of the data only: these numbers are no results");
    console.log(promiseTable(rows, legs));
    const { system, processor, cores, bun, gestalt } = machine();
    console.log(`\ngestalt ${gestalt}, ${processor}, ${cores} cores, ${system}, Bun ${bun}`);
    for (const [room, hash] of Object.entries(codeHashes)) console.log(`${room.padEnd(7)} ${hash}`);
    return code;
  },
});

/** The promises about some data sets and systems; about all of them when none is named. */
function chosen(
  promises: readonly Expected[],
  datasets: readonly string[],
  lists: readonly string[],
): readonly Expected[] {
  const systems = lists.flatMap((list) => list.split(","));
  for (const [names, known] of [
    [datasets, promises.map(({ dataset }) => dataset)],
    [systems, promises.map(({ system }) => system)],
  ] as const) {
    const stray = names.find((name) => !known.some((each) => each === name));
    if (stray !== undefined)
      throw new GestaltError("usage", `nothing is promised of "${stray}"`, `one of ${[...new Set(known)].join(", ")}`);
  }
  const among = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);
  return promises.filter(({ dataset, system }) => among(datasets, dataset) && among(systems, system));
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
