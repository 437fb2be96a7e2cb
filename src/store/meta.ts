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

/** Another text whenever anything was written to an index, by this connection or another. */
export const changesOf = (db: Database): string => {
  const own = db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
  const others = db.query<{ data_version: number }, []>("PRAGMA main.data_version").get()?.data_version;
  return `${own} ${others}`;
};
