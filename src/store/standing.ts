import type { Database } from "bun:sqlite";
import { stemOf } from "./notes.ts";

/** What a note and those that replace it say of its age. `validUntil` is a day, `YYYY-MM-DD`. */
export type StandingRow = { readonly superseded: boolean; readonly validUntil: string | undefined };

/** The standing of every note that is superseded, by its own word or another note's, or that names a last day; by note id. */
export function standings(db: Database): Map<number, StandingRow> {
  const replaced = new Set(
    db
      .query<{ target: string }, []>("SELECT DISTINCT target FROM supersedes")
      .all()
      .map(({ target }) => stemOf(target)),
  );
  const rows = db
    .query<{ id: number; stem: string; by: string | null; until: string | null }, []>(
      "SELECT id, stem, superseded_by AS by, valid_until AS until FROM note",
    )
    .all();
  const found = new Map<number, StandingRow>();
  for (const { id, stem, by, until } of rows) {
    const superseded = by !== null || replaced.has(stem);
    if (superseded || until !== null) found.set(id, { superseded, validUntil: until ?? undefined });
  }
  return found;
}
