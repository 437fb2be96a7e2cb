import { engineKnobs } from "../engine/knobs.ts";
import { findConfig, locate } from "../engine/place.ts";
import { expandHome, type Flags, resolveSettings } from "../settings.ts";

/** The knobs of every command that works on notes. */
export const noteKnobs = ["vault", "db", "search-dir", ...engineKnobs] as const;

/** The notes and their index as the flags, variables and `.gestalt.yml` say for one who works in `cwd`, with the file that was found. */
export async function findNotes(flags: Flags, cwd = process.cwd()) {
  const { vault, db, "search-dir": searchDir } = resolveSettings({ flags }, ["vault", "db", "search-dir"]).values;
  const config = await findConfig(vault.length === 0 ? cwd : expandHome(vault[0]?.replace(/^[^=/\\]+=/, "") ?? cwd));
  const { values: settings } = resolveSettings({ flags, config }, engineKnobs);
  return { config, settings, place: locate({ vault, db, searchDir, config, cwd }) };
}
