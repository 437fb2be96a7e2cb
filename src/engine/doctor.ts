import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError, messageOf } from "../errors.ts";
import { nativeFile } from "../native.ts";
import { cacheDir } from "../settings.ts";
import { indexHealth, parts, vectorsHealth } from "../store/health.ts";
import type { EngineSettings } from "./knobs.ts";
import { withEngine } from "./open.ts";
import type { Place } from "./place.ts";

/** One thing looked at. `mend` is the command that mends it, or what to do. */
export type Finding = {
  readonly about: string;
  readonly state: "ok" | "note" | "broken";
  readonly says: string;
  readonly mend?: string;
};

/** The parts of the program itself: what is there, of which version, and whether it loads. */
export async function examineParts(): Promise<Finding[]> {
  const { sqlite, vec } = parts();
  return [
    { about: "SQLite", state: "ok", says: sqlite },
    "version" in vec
      ? { about: "sqlite-vec", state: "ok", says: `${vec.version}, loaded from ${vec.path}` }
      : {
          about: "sqlite-vec",
          state: "note",
          says: `not loaded: ${vec.problem}; vectors are compared without it, more slowly`,
        },
    await examineRuntime(),
    examineCache(),
  ];
}

async function examineRuntime(): Promise<Finding> {
  const about = "ONNX Runtime";
  try {
    const path = nativeFile("onnxruntime");
    if (path === undefined)
      return { about, state: "note", says: "there is none for this system: searches go by words alone" };
    const { providersAtHand, runtimeVersion } = await import("../models/session.ts");
    const says = `${await runtimeVersion()}, loaded from ${path}; made for ${(await providersAtHand()).join(", ")}`;
    return { about, state: "ok", says };
  } catch (error) {
    return broken(about, error, "check that the system is one the README names; gestalt search --mode lexical works");
  }
}

function examineCache(): Finding {
  let folder = cacheDir();
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { about: "cache", state: "ok", says: `${cacheDir()} can be written` };
  } catch (error) {
    return broken("cache", error, "set XDG_CACHE_HOME to a folder that you can write");
  }
}

/** Loads the embedding model and embeds a word. */
export async function examineModel(place: Pick<Place, "models">, settings: EngineSettings): Promise<Finding> {
  const [{ openEmbedder }, { embedOptions }] = await Promise.all([
    import("../models/embed.ts"),
    import("./meaning.ts"),
  ]);
  try {
    const start = performance.now();
    const embedder = openEmbedder(embedOptions({ place, settings }));
    try {
      const { provider, note } = await embedder.ready();
      await embedder.embedQuery("a test");
      const ms = Math.round(performance.now() - start);
      const says = `${embedder.profile}: ${embedder.dims} numbers a vector, on ${provider}, ${ms} ms to load and embed`;
      return note === undefined
        ? { about: "model", state: "ok", says }
        : { about: "model", state: "note", says: `${says}; ${note}` };
    } finally {
      await embedder.close();
    }
  } catch (error) {
    return broken("model", error, "gestalt model list");
  }
}

/** The notes, their index and the vectors. `deep` reads every page of both files. */
export async function examineNotes(place: Place, settings: EngineSettings, deep: boolean): Promise<Finding[]> {
  const found: Finding[] = place.vaults.map(({ name, root }) => ({
    about: "notes",
    state: "ok",
    says: `${name}, read from ${root} (${place.why})`,
  }));
  const index = examineIndex(place, deep);
  found.push(...index);
  if (index.every(({ state }) => state !== "broken")) found.push(await examineFreshness(place, settings));
  return [...found, examineVectors(place, deep)];
}

function examineIndex({ db }: Place, deep: boolean): Finding[] {
  try {
    const health = indexHealth(db, deep);
    if (health === undefined) return [{ about: "index", state: "note", says: `${db} is not there yet: gestalt index` }];
    const { bytes, whole, schema, held } = health;
    if (!whole) return [{ about: "index", state: "broken", says: `${db} is not whole`, mend: "gestalt index --force" }];
    return [
      { about: "index", state: "ok", says: `${db}: ${megabytes(bytes)}, schema ${schema}, whole` },
      { about: "lock", state: "ok", says: held ? "held: another gestalt is writing" : "free" },
    ];
  } catch (error) {
    return [broken("index", error, "gestalt index --force")];
  }
}

async function examineFreshness(place: Place, settings: EngineSettings): Promise<Finding> {
  try {
    const { vaults, pending, skipped, warnings } = await withEngine({ place, settings }, (engine) => engine.status());
    const notes = vaults.reduce((sum, vault) => sum + vault.notes, 0);
    const says = `${notes} notes indexed, ${pending.notes} waiting; ${pending.passages} passages without a vector; ${skipped.length} files skipped, ${warnings.length} warnings (gestalt status)`;
    return { about: "freshness", state: pending.notes + pending.passages > 0 ? "note" : "ok", says };
  } catch (error) {
    return broken("freshness", error, "gestalt index --force");
  }
}

function examineVectors({ vectors }: Place, deep: boolean): Finding {
  try {
    const health = vectorsHealth(vectors, deep);
    if (health === undefined)
      return { about: "vectors", state: "note", says: `${vectors} is not there yet: gestalt index` };
    const { bytes, whole, models } = health;
    if (!whole)
      return { about: "vectors", state: "broken", says: `${vectors} is not whole`, mend: "gestalt index --force" };
    const held = models.map((model) => `${model.vectors} of ${model.name} (${model.dims} numbers)`).join(", ");
    return { about: "vectors", state: "ok", says: `${vectors}: ${megabytes(bytes)}, whole; ${held || "none yet"}` };
  } catch (error) {
    return broken("vectors", error, "gestalt index --force");
  }
}

/** What was thrown, as a finding; its own hint is better than the one given. */
export const broken = (about: string, error: unknown, mend: string): Finding => ({
  about,
  state: "broken",
  says: messageOf(error),
  mend: error instanceof GestaltError ? error.hint : mend,
});

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
