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
