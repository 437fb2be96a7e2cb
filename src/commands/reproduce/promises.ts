import { join } from "node:path";
import type { Expected, Verdict } from "../../bench/expected.ts";
import type { Result } from "../../bench/result.ts";
import { engineKnobs } from "../../engine/knobs.ts";
import { GestaltError } from "../../errors.ts";
import { type Flags, resolveSettings } from "../../settings.ts";
import { measureOne } from "../bench/measure.ts";
import type { BenchPlace } from "../bench/place.ts";
import { progressBar } from "../progress.ts";

/** Documents of a try. */
export const SMOKE = 200;

/** What a machine may need otherwise. Everything else is as we promise it: as it comes, whatever the user has set. */
export const machineKnobs = ["wait", "device", "embed-dtype", "rerank-device", "rerank-dtype", "rerank-batch"] as const;

/** A promise and what came of it; `result` where it was measured. */
export type Row = { readonly expected: Expected; readonly verdict: Verdict; readonly result?: Result };

type Options = { readonly flags: Flags; readonly out: string | undefined; readonly smoke: boolean };

/** Measures promises one after the other. What an earlier one has read and embedded, a later one finds. */
export async function measureAll(
  promises: readonly Expected[],
  place: BenchPlace,
  { flags, out, smoke }: Options,
): Promise<readonly Row[]> {
  const settings = {
    ...resolveSettings({ env: {} }, engineKnobs).values,
    ...resolveSettings({ flags }, machineKnobs).values,
  };
  const rows: Row[] = [];
  for (const [i, expected] of promises.entries()) {
    const bar = progressBar(`${i + 1}/${promises.length} ${expected.dataset} ${expected.system}`);
    const row = await measured(expected, { ...place, settings }, { out, smoke, show: bar.show }).finally(bar.done);
    rows.push({ expected, ...row });
  }
  return rows;
}

/** Whatever keeps a cell from being measured is its reason; a broken data set is one too. */
async function measured(
  { dataset, split, system, ...expected }: Expected,
  place: BenchPlace,
  { out, smoke, show }: Omit<Options, "flags"> & { readonly show: (done: number, total: number) => void },
): Promise<Omit<Row, "expected">> {
  const { loadTasks } = await import("../../bench/load.ts");
  const { judge } = await import("../../bench/expected.ts");
  const { profile, reranker } = expected;
  const settings = {
    ...place.settings,
    "embed-profile": profile ?? undefined,
    "rerank-model": reranker ?? undefined,
  };
  try {
    const { data, cutting } = place;
    const [task] = loadTasks(dataset, { data, cutting, split, limitDocs: smoke ? SMOKE : undefined });
    if (task === undefined) return { verdict: { outcome: "not measured", because: "it has no questions" } };
    const results = out && join(out, profile ?? "", reranker ?? "");
    const result = await measureOne(task, system, { ...place, settings }, { results, show });
    if (result === undefined) throw new Error("a whole run gives a result");
    const mean = result.measures["ndcg@10"]?.mean ?? Number.NaN;
    if (smoke) return { verdict: { outcome: "ran", measured: mean }, result };
    return { verdict: judge(expected, result), result };
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    return { verdict: { outcome: "not measured", because: `${error.message}; ${error.hint}` } };
  }
}
