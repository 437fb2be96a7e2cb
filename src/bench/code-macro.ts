import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Rooms that a score depends on. */
const rooms = ["bench", "engine", "models", "notes", "rank", "store"];

/** What this room has that takes part in a score. The rest of it only tells of scores. */
const scoring =
  /^metrics\/|^(beir|conversations|corpus|grep|indexed|json|jsonl|judgements|limit|lines|locomo|longmemeval|metrics|random|score|significance|source|statistics|systems|task|trec|trial)\.ts$/;

/**
 * SHA-256 of the code of each room, without comments and types. Called as a macro: it runs when the program is built,
 * where the sources are, and the executable holds what it returned.
 */
export function hashCode(): Record<string, string> {
  const compiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const hashes: Record<string, string> = {};
  for (const room of rooms) {
    const folder = join(import.meta.dir, "..", room);
    const hash = createHash("sha256");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .filter((file) => room !== "bench" || scoring.test(file))
      .sort();
    for (const file of files)
      hash.update(`${file}\0${compiler.transformSync(readFileSync(join(folder, file), "utf8"))}\0`);
    hashes[room] = hash.digest("hex");
  }
  return hashes;
}
