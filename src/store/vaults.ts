import type { Database } from "bun:sqlite";

/** A folder of notes in the index. */
export type VaultRow = { readonly id: number; readonly name: string; readonly root: string };

/** The vaults of an index, by name. */
export const vaults = (db: Database): VaultRow[] =>
  db.query<VaultRow, []>("SELECT id, name, root FROM vault ORDER BY name, root").all();

/** The id of the vault with this root, made or renamed when needed. */
export function putVault(db: Database, name: string, root: string): number {
  const found = db.query<VaultRow, [string]>("SELECT id, name, root FROM vault WHERE root = ?").get(root);
  if (found?.name === name) return found.id;
  db.query("INSERT INTO vault (name, root) VALUES (?, ?) ON CONFLICT (root) DO UPDATE SET name = excluded.name").run(
    name,
    root,
  );
  return putVault(db, name, root);
}

/** Drops every vault but those with these roots. */
export function keepVaults(db: Database, roots: readonly string[]): void {
  for (const { id, root } of vaults(db)) if (!roots.includes(root)) db.query("DELETE FROM vault WHERE id = ?").run(id);
}
