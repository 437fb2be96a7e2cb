import { passagesAt } from "../store/passages.ts";
import type { Desk } from "./desk.ts";
import { openPatiently, recalledPassages } from "./recall.ts";

/** The text of sections by the addresses that `recall` gives, as the index has it; what is gone or restricted is left out. */
export function texts(desk: Desk, addresses: readonly string[]): ReadonlyMap<string, string> {
  const db = openPatiently(desk);
  if (db === undefined) return new Map();
  const passages = addresses.flatMap((address) => {
    const [, path = "", block = ""] = /^(.*)#([^#]*)$/s.exec(address) ?? [];
    // The vault's name stands before the path where there are several, and a path may hold a colon.
    return [path, path.slice(path.indexOf(":") + 1)].flatMap((path) => passagesAt(db, path, block));
  });
  const wanted = new Set(addresses);
  return new Map(
    recalledPassages(desk, db, [...new Set(passages)])
      .filter(({ id }) => wanted.has(id))
      .map(({ id, text }) => [id, text]),
  );
}
