import { Database } from "bun:sqlite";
import { isExtra, type Term } from "./query.ts";
import { fold } from "./words.ts";

/** Where a term stands in a text: offsets in UTF-16 units, the end not included. `term` counts the query's terms from 0. */
export type Mark = { readonly start: number; readonly end: number; readonly term: number };

export type Marker = {
  /**
   * Where the terms stand in each text; a term that is undefined is not looked for. The tokenizer that found the passage
   * finds the words again, so `running` is marked for `run`; what it cannot see (symbols, pairs of characters, folded
   * letters) is found letter by letter.
   */
  marks(texts: readonly string[], terms: readonly (Term | undefined)[]): Mark[][];
  close(): void;
};

/** A tokenizer with a database of its own: what is written to the index's connection would seem to change the index. */
export function openMarker(): Marker {
  const db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE shown USING fts5(text, tokenize='porter unicode61')");
  return {
    marks(texts, terms) {
      const found: Mark[][] = texts.map(() => []);
      const literally = (literals: readonly string[], term: number): void => {
        for (const [i, text] of texts.entries()) found[i]?.push(...literalMarks(text, literals, term));
      };
      showing(db, texts, (find) => {
        for (const [term, asked] of terms.entries()) {
          if (asked === undefined) continue;
          const { match, literals } = asked;
          const extra = isExtra(asked);
          if (!extra) for (const { id, marked } of find(match)) found[id]?.push(...highlighted(marked, term));
          if (extra || literals.some((literal) => !/^[\x00-\x7f]*$/.test(literal))) literally(literals, term);
        }
      });
      return found.map((list) => list.sort((a, b) => a.start - b.start || b.end - a.end));
    },
    close: () => db.close(),
  };
}

type Found = { readonly id: number; readonly marked: string };

/** Lends texts as a table that can be asked. It is never committed: taken back, the rows cost nothing to remove. */
function showing(db: Database, texts: readonly string[], use: (find: (match: string) => Found[]) => void): void {
  db.query("BEGIN").run();
  try {
    const add = db.query("INSERT INTO shown (rowid, text) VALUES (?, ?)");
    // The two marks that highlight() is to set must not be there already.
    for (const [i, text] of texts.entries()) add.run(i, text.replace(/[\x01\x02]/g, " "));
    const find = db.query<Found, [string]>(
      "SELECT rowid AS id, highlight(shown, 0, char(1), char(2)) AS marked FROM shown WHERE shown MATCH ?",
    );
    use((match) => find.all(match));
  } finally {
    db.query("ROLLBACK").run();
  }
}

/** Reads the marks back out of a highlighted text. */
function highlighted(marked: string, term: number): Mark[] {
  const found: Mark[] = [];
  let inserted = 0;
  let start = 0;
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] === "\x01") start = at - inserted++;
    else if (marked[at] === "\x02") found.push({ start, end: at - inserted++, term });
  }
  return found;
}

/** Every place of a literal, whatever its case and accents, as long as folding keeps offsets. */
function literalMarks(text: string, literals: readonly string[], term: number): Mark[] {
  const folded = fold(text);
  const source = folded.length === text.length ? folded : text.toLowerCase();
  const found: Mark[] = [];
  for (const literal of literals) {
    if (literal === "") continue;
    for (let at = source.indexOf(literal); at >= 0; at = source.indexOf(literal, at + literal.length))
      found.push({ start: at, end: at + literal.length, term });
  }
  return found;
}
