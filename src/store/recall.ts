import type { Database } from "bun:sqlite";
import type { Stat } from "../types.ts";

/** How many notes there are, and the newest one's id: a note that is read anew gets a new id. */
export const noteAge = (db: Database): { readonly notes: number; readonly newest: number } =>
  db
    .query<{ notes: number; newest: number }, []>("SELECT count(*) AS notes, ifnull(max(id), 0) AS newest FROM note")
    .get() ?? {
    notes: 0,
    newest: 0,
  };

/**
 * The day a note was last changed, `YYYY-MM-DD`, as it says itself, else as the disk says; and the first 16 hexadecimal
 * digits of the SHA-256 of its bytes.
 */
export const stateOfNote = (
  db: Database,
  note: number,
): { readonly day: string | undefined; readonly hash: string } => {
  const found = db
    .query<{ day: string | null; hash: string }, [number]>(
      `SELECT coalesce(modified, created, date(mtime / 1000, 'unixepoch')) AS day, lower(substr(hex(hash), 1, 16)) AS hash
         FROM note WHERE id = ?`,
    )
    .get(note);
  return { day: found?.day ?? undefined, hash: found?.hash ?? "" };
};

/** What the disk said of a note when it was read. */
export const statOfNote = (db: Database, note: number): Stat | undefined =>
  db.query<Stat, [number]>("SELECT mtime, size, ino FROM note WHERE id = ?").get(note) ?? undefined;

/** Notes whose front matter has the key `paths`, with its values. */
export const notesWithPaths = (db: Database): { readonly note: number; readonly patterns: readonly string[] }[] =>
  db
    .query<{ id: number; fields: string }, []>(
      `SELECT id, fields FROM note WHERE fields LIKE '%"paths"%' AND sensitivity <> 'restricted' AND excluded = 0`,
    )
    .all()
    .map(({ id, fields }) => ({ note: id, patterns: valuesOf(fields) }));

function valuesOf(fields: string): string[] {
  const pairs = JSON.parse(fields) as [key: string, value: string][];
  return pairs.filter(([key]) => key.toLowerCase() === "paths").map(([, value]) => value);
}

/** Links of Markdown's own kind whose target ends in a file's name, with the note and the line they stand in. */
export const linksTo = (
  db: Database,
  name: string,
): { readonly note: number; readonly path: string; readonly target: string; readonly line: number }[] =>
  db
    .query<{ note: number; path: string; target: string; line: number }, [string]>(
      `SELECT link.note, note.path, link.target, link.line FROM link JOIN note ON note.id = link.note
        WHERE substr(link.target, -length(?1)) = ?1 AND note.sensitivity <> 'restricted' AND note.excluded = 0
        ORDER BY note.path, link.line`,
    )
    .all(name);

/** The passage of a note that holds a line, else its first; undefined when it has none. */
export const passageAt = (db: Database, note: number, line: number): number | undefined =>
  db
    .query<{ id: number }, [number, number]>(
      `SELECT passage.id FROM passage JOIN section ON section.id = passage.section WHERE section.note = ?1
        ORDER BY ?2 BETWEEN passage.first AND passage.last DESC, ?2 BETWEEN section.first AND section.last DESC, passage.id
        LIMIT 1`,
    )
    .get(note, line)?.id;
