import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ledger } from "./ledger.ts";
import { hashOf } from "./state.ts";
import type { Notes } from "./tools/tool.ts";

/**
 * The same notes, with all that is read of them written into a session's ledger: hooks do not show an agent again what it
 * has read itself.
 *
 * @param addresses whether addresses may stand in the ledger, or hashes of them
 */
export const written = (notes: Notes, ledger: Ledger, addresses: boolean): Notes => ({
  ...notes,
  async read(address, options) {
    const reading = await notes.read(address, options);
    try {
      const root = notes.place.vaults.find(({ name }) => name === reading.vault)?.root ?? "";
      const bytes = readFileSync(join(root, reading.path));
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
      const id = address.includes("#") ? address : reading.path;
      ledger.add({ kind: "read", at: new Date().toISOString(), section: { id: addresses ? id : hashOf(id), hash } });
    } catch {
      // What cannot be written down is read all the same.
    }
    return reading;
  },
});
