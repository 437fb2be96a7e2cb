import type { Database } from "bun:sqlite";

/** Which notes may answer. `since` is a day, `YYYY-MM-DD`. */
export type Filter = {
  /** All of them; a tag counts for those above it: `a/b` for `a`. */
  readonly tags?: readonly string[];
  /** A folder of the vault, or a glob. */
  readonly path?: string | undefined;
  readonly since?: string | undefined;
};

type Row = { readonly id: number; readonly path: string; readonly day: string };

/**
 * The notes that a filter lets through, by id; undefined when it lets all through. A note's day is that of its front matter
 * (`modified`, else `created`), else that of its file.
 */
export function notesWithin(db: Database, { tags = [], path, since }: Filter): ReadonlySet<number> | undefined {
  if (tags.length === 0 && path === undefined && since === undefined) return undefined;
  const rows = db
    .query<Row, []>("SELECT id, path, coalesce(modified, created, date(mtime / 1000, 'unixepoch')) AS day FROM note")
    .all();
  const tagged = tags.map((tag) => notesTagged(db, tag));
  const fits = path === undefined ? undefined : pathTest(path);
  return new Set(
    rows
      .filter(
        (row) =>
          (fits?.(row.path) ?? true) &&
          (since === undefined || row.day >= since) &&
          tagged.every((notes) => notes.has(row.id)),
      )
      .map(({ id }) => id),
  );
}

function notesTagged(db: Database, tag: string): ReadonlySet<number> {
  const wanted = tag.replace(/^#/, "").toLowerCase();
  const rows = db.query<{ note: number; tag: string }, []>("SELECT note, tag FROM tag").all();
  const fits = (tag: string) => tag.toLowerCase() === wanted || tag.toLowerCase().startsWith(`${wanted}/`);
  return new Set(rows.filter(({ tag }) => fits(tag)).map(({ note }) => note));
}

function pathTest(path: string): (candidate: string) => boolean {
  const wanted = path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  if (/[*?{[]/.test(wanted)) {
    const glob = new Bun.Glob(wanted);
    return (candidate) => glob.match(candidate);
  }
  return (candidate) => wanted === "" || candidate === wanted || candidate.startsWith(`${wanted}/`);
}
