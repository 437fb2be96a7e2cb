import type { Database } from "bun:sqlite";
import type { Sensitivity } from "../types.ts";

/** A passage with all that an answer says of it. `start` is the heading's line when the passage opens its section. */
export type PassageRow = {
  readonly id: number;
  readonly section: number;
  readonly note: number;
  readonly vault: string;
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly block: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Without their caret. */
  readonly anchors: readonly string[];
  readonly sensitivity: Sensitivity;
};

type Row = Omit<PassageRow, "headings" | "anchors"> & { readonly headings: string; readonly anchors: string };

const columns = `
  passage.id, passage.section, section.note, vault.name AS vault, note.path, note.title, section.headings, passage.block,
  iif(passage.id = (SELECT min(id) FROM passage AS sibling WHERE sibling.section = section.id), section.first, passage.first) AS start,
  passage.last AS "end", passage.text, passage.anchors, note.sensitivity
  FROM passage JOIN section ON section.id = passage.section JOIN note ON note.id = section.note JOIN vault ON vault.id = note.vault`;

const filled = (row: Row): PassageRow => ({
  ...row,
  headings: JSON.parse(row.headings) as string[],
  anchors: row.anchors.split(" ").filter(Boolean),
});

/** The passages with these ids, in the order given; an id that is gone is left out. */
export function passagesOf(db: Database, ids: readonly number[]): PassageRow[] {
  // One statement for all: a wide row costs eight times as much when it is asked for alone.
  const rows = db
    .query<Row, [string]>(`SELECT ${columns} WHERE passage.id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(filled);
}

/** The passages with this address: one for each vault that has such a path. */
export const passagesAt = (db: Database, path: string, block: string): number[] =>
  (
    db
      .query<never, [string, string]>(
        `SELECT passage.id FROM note JOIN section ON section.note = note.id JOIN passage ON passage.section = section.id
          WHERE note.path = ? AND passage.block = ?`,
      )
      .values(path, block) as [number][]
  ).flat();

/** The first passage of every note whose title or alias is `folded`, or whose file name is `stem`. */
export function passagesNamed(db: Database, folded: string, stem: string): PassageRow[] {
  const named = db
    .query<never, [string, string]>(
      "SELECT note FROM name WHERE folded = ? UNION ALL SELECT id FROM note WHERE stem = ?",
    )
    .values(folded, stem) as [number][];
  // Most questions name nothing, and the rest is dear.
  if (named.length === 0) return [];
  const found = db
    .query<never, [string]>(
      `SELECT min(p.id) FROM passage p JOIN section s ON s.id = p.section
        WHERE s.note IN (SELECT value FROM json_each(?)) GROUP BY s.note`,
    )
    .values(JSON.stringify(named.flat())) as [number][];
  const ids = found.map(([id]) => id);
  return passagesOf(db, ids).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The paths of all notes whose file name, without extension and folded, is one of `stems`, by that name. */
export function pathsByStem(db: Database, stems: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const rows = db
    .query<{ stem: string; path: string }, [string]>(
      "SELECT stem, path FROM note WHERE stem IN (SELECT value FROM json_each(?)) ORDER BY path",
    )
    .all(JSON.stringify(stems));
  const paths = new Map<string, string[]>();
  for (const { stem, path } of rows)
    paths
      .set(stem, paths.get(stem) ?? [])
      .get(stem)
      ?.push(path);
  return paths;
}
