import { dirname, join } from "node:path";
import { migrate } from "../store/migrations.ts";
import { putNote } from "../store/notes.ts";
import { openDatabase } from "../store/open.ts";
import { putVault } from "../store/vaults.ts";
import { attachVectors, modelId } from "../store/vector-file.ts";
import { link, linkRows, pendingTexts, putVectors } from "../store/vectors.ts";
import type { Note, Ranking } from "../types.ts";
import { openDesk, opened } from "./desk.ts";
import type { EngineSettings } from "./knobs.ts";
import type { Place } from "./place.ts";
import { watchFolders } from "./watch.ts";

/** Vectors stored at once. */
const batch = 4096;

/** Makes an index of `count` passages with the vectors that `next` gives, in files that are not there yet: for benchmarks. */
export function makeVectors(place: Place, count: number, dims: number, next: () => Float32Array): void {
  const db = openDatabase(place.db, { create: true });
  if (db === undefined) throw new Error("a database that was to be made is not there");
  try {
    migrate(db);
    attachVectors(db, place.vectors, { create: true });
    db.transaction(() => {
      const vault = putVault(db, "made", "/made");
      putNote(db, vault, { mtime: 0, size: 0, ino: 0 }, "00".repeat(32), noteOf(count), "plain");
    })();
    const model = modelId(db, "made", "made", dims);
    link(db, model);
    for (let texts = pendingTexts(db, batch); texts.length > 0; texts = pendingTexts(db, batch)) {
      putVectors(
        db,
        model,
        texts.map(({ key }) => [key, next()] as const),
      );
      linkRows(db, model, texts);
    }
  } finally {
    db.close();
  }
}

const noteOf = (count: number): Note =>
  bareNote(
    "made.md",
    Array.from({ length: count }, (_, i) => ({ block: `p${i}`, text: `passage ${i}`, start: 1, end: 1, anchors: [] })),
  );

/** A note of one section without a heading, with nothing said but what its passages say. */
export const bareNote = (path: string, passages: Note["sections"][number]["passages"]): Note => ({
  path,
  title: "",
  aliases: [],
  tags: [],
  created: undefined,
  modified: undefined,
  sensitivity: "unpublished",
  supersedes: [],
  supersededBy: undefined,
  validUntil: undefined,
  excluded: false,
  fields: [],
  links: [],
  warnings: [],
  sections: [{ level: 0, headings: [], block: "overview", start: 1, end: 1, passages }],
});

export type Nearest = (vector: Float32Array, limit: number) => Ranking;

/**
 * Lends the passages' meaning leg by itself, as a search uses it: from memory in a process that lives on, else from the file.
 *
 * @param lives whether this process lives on
 */
export async function withNearest<T>(
  place: Place,
  settings: EngineSettings,
  lives: boolean,
  use: (nearest: Nearest) => T,
): Promise<T> {
  const watch = lives ? watchFolders([], join(dirname(place.db), "watch")) : undefined;
  const desk = openDesk(place, settings, [], "ours", { watch, models: undefined });
  try {
    attachVectors(opened(desk), place.vectors, { create: false });
    const comparing = await desk.comparing();
    return await use((vector, limit) => comparing.nearest("passage", vector, limit));
  } finally {
    watch?.close();
    await desk.close();
  }
}
