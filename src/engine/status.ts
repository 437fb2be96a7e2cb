import { statSync } from "node:fs";
import { allWarnings, countVaults, type VaultCounts } from "../store/counts.ts";
import { getMeta } from "../store/meta.ts";
import { pendingCount } from "../store/vectors.ts";
import type { Skip, Warning } from "../types.ts";
import { type Desk, usable } from "./desk.ts";
import { isNullDue, storedNull } from "./null.ts";
import { planAll, waiting } from "./plan.ts";

/** What the index holds, and how far it is behind. `pending` and the rest are of the moment; nothing is changed. */
export type Status = {
  readonly db: string;
  /** How the vaults were found. */
  readonly why: string;
  readonly bytes: number;
  readonly vaults: readonly VaultCounts[];
  /** When the whole index was last brought up to date: ISO 8601, undefined when never. */
  readonly indexed: string | undefined;
  /** Notes that changed on disk since (all of them when there is no usable index), and passages without a vector. */
  readonly pending: { readonly notes: number; readonly passages: number };
  /** Whether hooks can tell what to answer: everyday prompts were asked of these notes, or must be, first or again. */
  readonly gate: "measured" | "due" | "never";
  readonly skipped: readonly (Skip & { readonly vault: string })[];
  readonly warnings: readonly (Warning & { readonly vault: string })[];
};

export function status(desk: Desk): Status {
  const { db: path, why } = desk.place;
  const db = desk.database({ create: false });
  if (db === undefined || !usable(desk, db)) {
    const sweeps = desk.sources.map((source) => ({ source, ...source.sweep() }));
    return {
      db: path,
      why,
      bytes: sizeOf(path),
      vaults: sweeps.map(({ source: { name, root } }) => ({
        name,
        root,
        notes: 0,
        excluded: 0,
        sections: 0,
        passages: 0,
      })),
      indexed: undefined,
      gate: "never",
      pending: { notes: sweeps.reduce((sum, { entries }) => sum + entries.length, 0), passages: 0 },
      skipped: sweeps.flatMap(({ source, skipped }) => skipped.map((skip) => ({ ...skip, vault: source.name }))),
      warnings: [],
    };
  }
  const plans = planAll(db, desk.sources);
  return {
    db: path,
    why,
    bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    vaults: countVaults(db),
    indexed: getMeta(db, "indexed"),
    gate: storedNull(db, undefined).everyday.length === 0 ? "never" : isNullDue(db, undefined) ? "due" : "measured",
    pending: { notes: waiting(plans), passages: pendingCount(db) },
    skipped: plans.flatMap(({ source, skipped }) => skipped.map((skip) => ({ ...skip, vault: source.name }))),
    warnings: allWarnings(db),
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
