import type { Database } from "bun:sqlite";
import { freshness } from "../rank/freshness.ts";
import { slugDecay } from "../rank/slug-decay.ts";
import { noteOfPassage } from "../store/notes.ts";
import { standings } from "../store/standing.ts";
import type { Ranking } from "../types.ts";
import type { EngineSettings } from "./knobs.ts";

/**
 * What a person may have set about the order of what was found: superseded and expired notes lower, fewer sections of one
 * note. Both are off unless set, and the order is then the same row for row.
 *
 * @param today `YYYY-MM-DD`
 */
export function afterwards(db: Database, ranking: Ranking, settings: EngineSettings, today: string): Ranking {
  const spread = slugDecay(ranking, noteOfPassage, settings["slug-decay"]);
  if (!settings.freshness) return spread;
  const known = standings(db);
  return freshness(spread, (id) => known.get(noteOfPassage(id)), today, {
    superseded: settings["freshness-factor"],
    expired: settings["freshness-expired-factor"],
  });
}
