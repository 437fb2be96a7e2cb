import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../engine/place.ts";
import type { Ledger } from "./ledger.ts";
import { hashOf } from "./state.ts";
import type { ReadLines } from "./tools/tool.ts";

/**
 * Writes what an agent reads of its notes into its session's ledger: hooks do not show it again.
 *
 * @param addresses whether addresses may stand in the ledger, or hashes of them
 */
export const writer =
  ({ vaults }: Place, ledger: Ledger, addresses: boolean) =>
  ({ vault, path, start, end }: ReadLines): void => {
    try {
      const root = vaults.find(({ name }) => name === vault)?.root ?? "";
      const bytes = readFileSync(join(root, path));
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
      const id = `${vaults.length > 1 ? `${vault}:` : ""}${path}:${start}-${end}`;
      const section = { id: addresses ? id : hashOf(id), hash, lines: [start, end] as const };
      ledger.add({ kind: "read", at: new Date().toISOString(), section });
    } catch {
      // What cannot be written down is read all the same.
    }
  };
