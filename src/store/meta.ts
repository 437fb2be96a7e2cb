import type { Database } from "bun:sqlite";

/** What the index says of itself, by key. */
export const getMeta = (db: Database, key: string): string | undefined =>
  db.query<{ value: string }, [string]>("SELECT value FROM meta WHERE key = ?").get(key)?.value;

export const setMeta = (db: Database, key: string, value: string): void => {
  db.query("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(
    key,
    value,
  );
};

/** What `ask` finds in an index, asked again only when anything was written to it: for a process that lives on. */
export function keeping<T>(ask: (db: Database) => T): (db: Database) => T {
  let kept: { readonly db: Database; readonly state: string; readonly found: T } | undefined;
  return (db) => {
    const state = changesOf(db);
    if (kept?.db !== db || kept.state !== state) kept = { db, state, found: ask(db) };
    return kept.found;
  };
}

/** Another text whenever anything was written to an index, by this connection or another. */
export const changesOf = (db: Database): string => {
  const own = db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
  const others = db.query<{ data_version: number }, []>("PRAGMA main.data_version").get()?.data_version;
  return `${own} ${others}`;
};
