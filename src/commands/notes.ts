import { type Engine, withEngine } from "../engine/open.ts";
import type { RunOptions } from "../engine/refresh.ts";
import { configNotices, type Flags } from "../settings.ts";
import { notice } from "./failure.ts";
import { findNotes } from "./find-notes.ts";
import { progressBar } from "./progress.ts";

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
