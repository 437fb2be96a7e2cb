import { keyOf } from "../store/embedded.ts";
import { putVectors, vectorsByKey } from "../store/vectors.ts";
import { type Desk, hasNotes } from "./desk.ts";
import { isAboutModels } from "./meaning.ts";

/**
 * How near a question is to each of some texts that are no notes: cosines in [−1, 1], in their order; 0 for a text that has no
 * vector. Vectors are kept by text, as those of passages are, so each text is embedded once.
 *
 * @returns undefined without an index or a model
 */
export async function likeness(
  desk: Desk,
  question: string,
  texts: readonly string[],
): Promise<readonly number[] | undefined> {
  const db = desk.database({ create: false });
  if (db === undefined || !hasNotes(db)) return undefined;
  try {
    const { embedder, model } = await desk.meaning();
    const keys = texts.map(keyOf);
    const known = vectorsByKey(db, model, keys);
    const missing = keys.flatMap((_, i) => (known[i] === undefined ? i : []));
    const made: [key: Uint8Array, vector: Float32Array][] = [];
    for await (const result of embedder.embedPassages(missing.map((i) => texts[i] ?? ""))) {
      const i = missing[result.index];
      const key = i === undefined ? undefined : keys[i];
      if (i === undefined || key === undefined || !("vector" in result)) continue;
      known[i] = result.vector;
      made.push([key, result.vector]);
    }
    if (made.length > 0) putVectors(db, model, made);
    const asked = await embedder.embedQuery(question);
    return known.map((vector) =>
      vector === undefined ? 0 : vector.reduce((sum, x, i) => sum + x * (asked[i] ?? 0), 0),
    );
  } catch (error) {
    if (isAboutModels(error)) return undefined;
    throw error;
  }
}
