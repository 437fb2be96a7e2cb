import { explained } from "../store/open.ts";
import { pendingCount } from "../store/vectors.ts";
import { type Desk, opened } from "./desk.ts";
import { type Embedding, embedPending } from "./embed.ts";
import { lasting } from "./lasting.ts";
import { isAboutModels } from "./meaning.ts";
import { type RunOptions, runIndex } from "./refresh.ts";
import type { Report } from "./update.ts";

export type IndexOptions = Omit<RunOptions, "onProgress"> & {
  /** Words only: no vector is made. */
  readonly lexical?: boolean;
  readonly onProgress?: (phase: "notes" | "vectors", done: number, total: number) => void;
};

/** What an index run did, words and vectors. `pending` is what is left for the next run. */
export type IndexReport = Omit<Report, "pending"> & {
  /** Texts that got a vector: passages, and notes as wholes. */
  readonly embedded: number;
  readonly found: Embedding["found"];
  readonly failed: Embedding["failed"];
  readonly pending: { readonly notes: number; readonly passages: number };
  /** Why no vector could be made, in words. */
  readonly wordsOnly: string | undefined;
};

/** Brings the index up to date: first the words, which can then be searched, then the vectors. */
export async function indexNotes(desk: Desk, options: IndexOptions = {}): Promise<IndexReport> {
  const { lexical = false, onProgress, ...run } = options;
  const start = performance.now();
  const report = await runIndex(desk, { ...run, onProgress: (done, total) => onProgress?.("notes", done, total) });
  // A benchmark asks all its questions after this.
  lasting(opened(desk));
  const embedding = lexical ? undefined : await embedded(desk, options);
  return {
    ...report,
    embedded: embedding?.embedded ?? 0,
    found: embedding?.found ?? 0,
    failed: embedding?.failed ?? [],
    pending: { notes: report.pending, passages: pendingCount(opened(desk)) },
    wordsOnly: embedding?.why,
    seconds: (performance.now() - start) / 1000,
  };
}

/** Words must not wait for a model that is not there: then `why` says so. */
async function embedded(
  desk: Desk,
  { onProgress, onWait }: IndexOptions,
): Promise<Omit<Embedding, "pending"> & { readonly why: string | undefined }> {
  try {
    const run = await embedPending(desk, opened(desk), {
      wait: desk.settings.wait * 1000,
      onWait,
      onProgress: (done, total) => onProgress?.("vectors", done, total),
    });
    return { ...run, why: undefined };
  } catch (error) {
    const reason = explained(desk.place.vectors, error);
    if (!isAboutModels(reason)) throw error;
    return { embedded: 0, found: 0, failed: [], why: `${reason.message}; ${reason.hint}` };
  }
}
