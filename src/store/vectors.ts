import type { Database } from "bun:sqlite";
import { embeddedText, noteText } from "./embedded.ts";
import { getMeta, setMeta } from "./meta.ts";
import { breadcrumb } from "./notes.ts";
import { attachVectors, identityOf } from "./vector-file.ts";

/** What has vectors: passages, or notes as wholes. */
export type Level = "passage" | "note";

/** A vector as it is stored: float32, little-endian. In int8 a tenth of the top tens changed, see knowledge/decisions. */
export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** The vector in stored bytes, copied to where its numbers may begin. */
export const vectorIn = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);

/** Stores vectors by key; one that is there already stays. In a transaction of its own. */
export function putVectors(
  db: Database,
  model: number,
  rows: readonly (readonly [key: Uint8Array, vector: Float32Array])[],
): void {
  const add = db.query("INSERT INTO vectors.vector (model, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  db.transaction(() => {
    for (const [key, vector] of rows) add.run(model, key, bytesOf(vector));
  }).immediate();
}

/** The vectors of some keys, in their order; undefined where there is none. */
export function vectorsByKey(db: Database, model: number, keys: readonly Uint8Array[]): (Float32Array | undefined)[] {
  const find = db.query<{ value: Uint8Array }, [number, Uint8Array]>(
    "SELECT value FROM vectors.vector WHERE model = ? AND key = ?",
  );
  return keys.map((key) => {
    const found = find.get(model, key);
    return found === null ? undefined : vectorIn(found.value);
  });
}

/**
 * Points every passage and note at its vector of this model, where there is one. After a change of model, or of the file
 * of vectors, all are pointed anew.
 */
export function link(db: Database, model: number): void {
  const linked = isLinked(db, model);
  // A question must not take the writer's turn when there is nothing to write.
  if (linked && !hasUnlinked(db)) return;
  db.transaction(() => {
    for (const table of ["passage", "note"])
      db.query(
        `UPDATE ${table} SET vector = (SELECT id FROM vectors.vector AS v WHERE v.model = ?1 AND v.key = ${table}.key)
          WHERE ${linked ? "vector IS NULL AND" : ""} key IS NOT NULL`,
      ).run(model);
    if (!linked) setMeta(db, "linked", linkOf(db, model));
  }).immediate();
}

/** Whether any passage or note is without a vector. */
const hasUnlinked = (db: Database): boolean =>
  db
    .query(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM passage WHERE vector IS NULL)
                   OR EXISTS (SELECT 1 FROM note WHERE vector IS NULL AND key IS NOT NULL)`,
    )
    .get() !== null;

/** What the index says of whose vectors its rows point at. */
const linkOf = (db: Database, model: number): string => `${identityOf(db)} ${model}`;

/** Points single rows at their vectors: what was just embedded, without a look at all that still waits. */
export function linkRows(db: Database, model: number, texts: readonly PendingText[]): void {
  db.transaction(() => {
    for (const { table, id, key } of texts)
      db.query(
        `UPDATE ${table} SET vector = (SELECT id FROM vectors.vector AS v WHERE v.model = ? AND v.key = ?) WHERE id = ?`,
      ).run(model, key, id);
  }).immediate();
}

/** Whether the passages point at vectors of this model in this very file. */
export const isLinked = (db: Database, model: number): boolean => getMeta(db, "linked") === linkOf(db, model);

/** How many passages have no vector yet. */
export const pendingCount = (db: Database): number =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM passage WHERE vector IS NULL").get()?.n ?? 0;

/** Those of some rows that have no vector yet. */
export function withoutVector(db: Database, level: Level, ids: readonly number[]): ReadonlySet<number> {
  const rows = db
    .query<never, [string]>(`SELECT id FROM ${level} WHERE vector IS NULL AND id IN (SELECT value FROM json_each(?))`)
    .values(JSON.stringify(ids)) as [number][];
  return new Set(rows.map(([id]) => id));
}

/** Whether passages point at vectors of the file that is there now, of whatever model: enough to compare them with each other. */
export function hasVectors(db: Database, path: string): boolean {
  const linked = getMeta(db, "linked");
  if (linked === undefined || !attachVectors(db, path, { create: false })) return false;
  return linked.startsWith(`${identityOf(db)} `);
}

/** A text that waits for its vector, and the row that it belongs to (the first one, where several have the same text). */
export type PendingText = {
  readonly table: "passage" | "note";
  readonly id: number;
  readonly key: Uint8Array;
  readonly hex: string;
  readonly text: string;
  readonly path: string;
};

/** Texts without a vector, each once: those of the newest notes first, a note as a whole after its passages. */
export function pendingTexts(db: Database, limit: number): PendingText[] {
  type Row = { id: number; key: Uint8Array; path: string; title: string; headings: string; text: string };
  const passages = db
    .query<Row, [number]>(
      `SELECT passage.id, passage.key, note.path, note.title, section.headings, passage.text
         FROM passage JOIN section ON section.id = passage.section JOIN note ON note.id = section.note
        WHERE passage.vector IS NULL ORDER BY note.mtime DESC, passage.id LIMIT ?`,
    )
    .all(limit)
    .map(({ id, key, path, title, headings, text }) => {
      const crumbs = breadcrumb(title, JSON.parse(headings) as string[]);
      return { table: "passage" as const, id, key, path, text: embeddedText(title, crumbs, text) };
    });
  const notes = db
    .query<{ id: number; key: Uint8Array; path: string; title: string }, [number]>(
      // A note of one passage has that passage's vector.
      `SELECT id, key, path, title FROM note
        WHERE vector IS NULL AND key IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM section JOIN passage ON passage.section = section.id
                           WHERE section.note = note.id AND passage.key = note.key)
        ORDER BY mtime DESC LIMIT ?`,
    )
    .all(Math.max(0, limit - passages.length))
    .map(({ title, ...row }) => ({
      ...row,
      table: "note" as const,
      text: noteText(title, ...openingAndHeadings(db, row.id)),
    }));
  const seen = new Set<string>();
  return [...passages, ...notes]
    .map((row) => ({ ...row, hex: Buffer.from(row.key).toString("hex") }))
    .filter(({ hex }) => !seen.has(hex) && seen.add(hex));
}

/** The first text of a note and its headings, in order. */
function openingAndHeadings(db: Database, note: number): [first: string, headings: string[]] {
  const first = db
    .query<{ text: string }, [number]>(
      `SELECT passage.text FROM passage JOIN section ON section.id = passage.section
        WHERE section.note = ? AND passage.text <> '' ORDER BY passage.id LIMIT 1`,
    )
    .get(note);
  const headings = db
    .query<{ headings: string }, [number]>("SELECT headings FROM section WHERE note = ? ORDER BY ordinal")
    .all(note)
    .flatMap(({ headings }) => (JSON.parse(headings) as string[]).at(-1) ?? []);
  return [first?.text ?? "", headings];
}
