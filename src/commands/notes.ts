import { engineKnobs } from "../engine/knobs.ts";
import { type Engine, withEngine } from "../engine/open.ts";
import { findConfig, locate } from "../engine/place.ts";
import type { RunOptions } from "../engine/refresh.ts";
import { configNotices, expandHome, type Flags, resolveSettings } from "../settings.ts";
import { notice } from "./failure.ts";
import { progressBar } from "./progress.ts";

/** The knobs of every command that works on notes. */
export const noteKnobs = ["vault", "db", "search-dir", ...engineKnobs] as const;

/** The notes and their index as the flags, variables and `.gestalt.yml` say, with the file that was found. */
export async function findNotes(flags: Flags) {
  const cwd = process.cwd();
  const { vault, db, "search-dir": searchDir } = resolveSettings({ flags }, ["vault", "db", "search-dir"]).values;
  const config = await findConfig(vault.length === 0 ? cwd : expandHome(vault[0]?.replace(/^[^=/\\]+=/, "") ?? cwd));
  const { values: settings } = resolveSettings({ flags, config }, engineKnobs);
  return { config, settings, place: locate({ vault, db, searchDir, config, cwd }) };
}

type Found = Awaited<ReturnType<typeof findNotes>>;

/** Finds the notes, and lends an engine over them, with what was found. */
export async function withNotes<T>(flags: Flags, use: (engine: Engine, found: Found) => Promise<T>): Promise<T> {
  const found = await findNotes(flags);
  for (const line of found.config === undefined ? [] : configNotices(found.config)) notice(line);
  return await withEngine(found, (engine) => use(engine, found));
}

/** A bar while notes are read, and a line while another process writes. */
export function watching(): RunOptions & { readonly done: () => void } {
  const bar = progressBar("reading notes");
  return { onProgress: bar.show, onWait: sayWaiting, done: bar.done };
}

export const sayWaiting = (): void => notice("another gestalt is writing this index; waiting for it");
