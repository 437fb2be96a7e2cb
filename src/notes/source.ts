import type { Entry, Note, Skip } from "../types.ts";

/** What one look at a source found: each note once, in path order (code-unit order), and what was passed over. */
export type Sweep = { readonly entries: readonly Entry[]; readonly skipped: readonly Skip[] };

/** How long sections are cut: `ceiling` characters a passage, the last `overlap` of them repeated in the next. */
export type Cutting = { readonly ceiling: number; readonly overlap: number };

/** A place notes come from. One bad file never stops it: it is in `skipped`, or its `read` throws. */
export interface NoteSource {
  readonly name: string;
  /** Identity: the real path. */
  readonly root: string;
  /** Looks at names and stats only; reads no note. Synchronous: a search does this before it answers. */
  sweep(): Sweep;
  /** The bytes of one note. Throws an error whose message is fit to show when it cannot be read. */
  read(path: string): Uint8Array;
  /** Never throws: what is odd becomes a warning. */
  parse(path: string, bytes: Uint8Array): Note;
}
