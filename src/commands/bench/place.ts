import { join } from "node:path";
import { type EngineSettings, engineKnobs } from "../../engine/knobs.ts";
import { cacheDir, type Flags, resolveSettings } from "../../settings.ts";
import { progressBar } from "../progress.ts";

/** The knobs of every command that measures. */
export const benchKnobs = ["bench-cache", ...engineKnobs] as const;

/** Folder of the seals, in the checkout: they are kept under version control. */
export const seals = join("bench", "heldout");

/** Where a measurement finds and leaves things. */
export type BenchPlace = {
  readonly settings: EngineSettings;
  readonly models: string;
  /** Folders that may hold data sets: the one named, then our own. */
  readonly data: readonly string[];
  /** Where data goes that is fetched. */
  readonly fetched: string;
  readonly cache: string;
  readonly cutting: { readonly ceiling: number; readonly overlap: number };
};

export function benchPlace(flags: Flags, data: string | undefined): BenchPlace {
  const { "bench-cache": cache = join(cacheDir(), "bench") } = resolveSettings({ flags }, ["bench-cache"]).values;
  const settings = resolveSettings({ flags }, engineKnobs).values;
  const fetched = join(cache, "data");
  return {
    settings,
    models: join(cacheDir(), "models"),
    data: [...(data === undefined ? [] : [data]), fetched],
    fetched,
    cache: join(cache, "index"),
    cutting: { ceiling: settings.ceiling, overlap: Math.min(settings.overlap, Math.floor(settings.ceiling / 2)) },
  };
}

/** Fetches what the manifest knows and no folder has. Nothing is fetched unless somebody asks. */
export async function fetchMissing(names: readonly string[], { data, fetched }: BenchPlace): Promise<void> {
  const { datasetRows } = await import("../../bench/datasets.ts");
  const { hasDataset } = await import("../../bench/load.ts");
  const { fetchDataset } = await import("../../bench/fetching.ts");
  for (const name of names) {
    const row = datasetRows.find((known) => known.name === name);
    if (row === undefined || hasDataset(row, data)) continue;
    const bar = progressBar(`fetching ${name}`);
    const onProgress = (received: number, total = received) => bar.show(received, total);
    await fetchDataset(row, fetched, { onProgress }).finally(bar.done);
  }
}
