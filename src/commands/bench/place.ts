import { join } from "node:path";
import { type EngineSettings, engineKnobs } from "../../engine/desk.ts";
import { cacheDir, type Flags, resolveSettings } from "../../settings.ts";

/** The knobs of every command that measures. */
export const benchKnobs = ["bench-cache", ...engineKnobs] as const;

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
