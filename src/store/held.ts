import type { Database } from "bun:sqlite";
import type { Term } from "./query.ts";

/** For each term, in their order, which of the given passages have it. */
export function heldBy(db: Database, passages: readonly number[], terms: readonly Term[]): ReadonlySet<number>[] {
  const find = db.query<never, [string, number]>("SELECT 1 FROM passage_text WHERE passage_text MATCH ? AND rowid = ?");
  return terms.map(({ match }) => new Set(passages.filter((id) => find.values(match, id).length > 0)));
}
