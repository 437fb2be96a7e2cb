import type { Database } from "bun:sqlite";
import { wordSignal } from "../rank/gate.ts";
import { heldBy } from "../store/held.ts";
import { type LexicalAnswer, passageCount } from "../store/lexical.ts";
import type { Query } from "../store/query.ts";

/** Passages among which the one that covers the question best is looked for. */
const depth = 10;

/** The gate's signal by words, of a question that was asked already. */
export function wordSignalOf(db: Database, query: Query, { ranking, idf }: LexicalAnswer): number {
  const coverage = coverageBy(
    db,
    query,
    idf,
    ranking.slice(0, depth).map(({ id }) => id),
  );
  return wordSignal(Math.max(0, ...coverage.values()), ranking[0]?.score ?? 0);
}

/** For each passage, the share of the question's idf that it has, in [0, 1]. Parts of words and pairs do not count twice. */
export function coverageBy(
  db: Database,
  query: Query,
  idf: readonly number[],
  passages: readonly number[],
): ReadonlyMap<number, number> {
  const unknown = Math.log(1 + (passageCount(db) + 0.5) / 0.5);
  const words = query.terms
    .map((term, i) => ({ term, idf: idf[i] || unknown }))
    .filter(({ term }) => term.kind === "word" || term.kind === "phrase");
  const held = heldBy(
    db,
    passages,
    words.map(({ term }) => term),
  );
  const total = words.reduce((sum, word) => sum + word.idf, 0) || 1;
  return new Map(
    passages.map((id) => [id, words.reduce((sum, word, i) => sum + (held[i]?.has(id) ? word.idf : 0), 0) / total]),
  );
}
