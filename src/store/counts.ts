import type { Database } from "bun:sqlite";
import type { Warning } from "../types.ts";

/** How much of one vault is in the index. */
export type VaultCounts = {
  readonly name: string;
  readonly root: string;
  readonly notes: number;
  readonly excluded: number;
  readonly sections: number;
  readonly passages: number;
};

export const countVaults = (db: Database): VaultCounts[] =>
  db
    .query<VaultCounts, []>(
      `SELECT vault.name, vault.root,
              (SELECT count(*) FROM note WHERE note.vault = vault.id AND excluded = 0) AS notes,
              (SELECT count(*) FROM note WHERE note.vault = vault.id AND excluded = 1) AS excluded,
              (SELECT count(*) FROM section JOIN note ON note.id = section.note WHERE note.vault = vault.id) AS sections,
              (SELECT count(*) FROM passage JOIN section ON section.id = passage.section
                 JOIN note ON note.id = section.note WHERE note.vault = vault.id) AS passages
         FROM vault ORDER BY vault.name`,
    )
    .all();

/** What was odd in the notes when they were last read. */
export const allWarnings = (db: Database): (Warning & { readonly vault: string })[] =>
  db
    .query<Warning & { vault: string }, []>(
      `SELECT vault.name AS vault, note.path, warning.line, warning.message
         FROM warning JOIN note ON note.id = warning.note JOIN vault ON vault.id = note.vault
        ORDER BY vault.name, note.path, warning.line`,
    )
    .all();
