import { Database } from "bun:sqlite";
import type { Ranking } from "../types.ts";
import { isExtra, parseQuery } from "./query.ts";

/** What is known of a skill: its name in words, what it says it is for, and its text. */
export type SkillText = { readonly name: string; readonly description: string; readonly body: string };

/**
 * Asks which skills a request is about, in a table of their own that lives as long as the question: skills are few, and
 * so their answer is never stale.
 *
 * @returns two rankings of places in `skills`: by name and description, and by text; both empty when the request has no word
 */
export function routeByWords(
  skills: readonly SkillText[],
  request: string,
): { readonly byDescription: Ranking; readonly byBody: Ranking } {
  const match = parseQuery(request, { stopWords: true })
    .terms.filter((term) => term.kind === "word" && !isExtra(term))
    .map(({ match }) => match)
    .join(" OR ");
  if (match === "") return { byDescription: [], byBody: [] };
  const db = new Database(":memory:", { strict: true });
  try {
    db.run("CREATE VIRTUAL TABLE skill USING fts5(name, description, body, tokenize='porter unicode61')");
    const add = db.query("INSERT INTO skill (rowid, name, description, body) VALUES (?, ?, ?, ?)");
    for (const [id, { name, description, body }] of skills.entries()) add.run(id, name, description, body);
    const ask = db.query<{ id: number; score: number }, [number, number, number, string]>(
      `SELECT rowid AS id, -bm25(skill, ?, ?, ?) AS score FROM skill WHERE skill MATCH ? ORDER BY score DESC, rowid`,
    );
    return {
      byDescription: ask.all(1, 1, 0, `{name description} : (${match})`),
      byBody: ask.all(0, 0, 1, `body : (${match})`),
    };
  } finally {
    db.close();
  }
}
