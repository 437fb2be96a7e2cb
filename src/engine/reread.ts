import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import { blend } from "../rank/blend.ts";
import { breadcrumb } from "../store/notes.ts";
import { passagesOf } from "../store/passages.ts";
import type { Ranking } from "../types.ts";
import type { Desk } from "./desk.ts";
import type { Meaning } from "./meaning.ts";

/** What became of the second reading: which model, how long, and why the order stayed when it did. */
export type Reread = { readonly model: string; readonly ms: number; readonly fallback?: string };

/** What the second reader itself gave each passage that it read. */
export type Scores = ReadonlyMap<number, number>;

/**
 * Reads the best passages again together with the question, and puts them in the order of both readings.
 *
 * Done when `rerank` is on; when it is `auto`, only where the weights are there and a model runs on something faster than
 * the processor. Whatever goes wrong, and over the deadline, the order stays and `told` says why.
 *
 * @throws GestaltError "usage" for a reranker that is not in the table
 */
export async function reread(
  desk: Desk,
  db: Database,
  question: string,
  ranking: Ranking,
  meaning: Meaning,
): Promise<{ readonly ranking: Ranking; readonly told?: Reread; readonly scores?: Scores }> {
  const { rerank, "rerank-depth": depth } = desk.settings;
  if (rerank === "off" || (rerank === "auto" && (await meaning.embedder.ready()).provider === "cpu"))
    return { ranking };
  const model = desk.settings["rerank-model"] ?? meaning.rerank.model;
  const start = performance.now();
  const told = (fallback?: string): Reread => ({
    model,
    ms: Math.round(performance.now() - start),
    ...(fallback === undefined ? {} : { fallback }),
  });
  try {
    const reranker = await desk.reranker(model);
    const head = ranking.slice(0, depth);
    const texts = passagesOf(
      db,
      head.map(({ id }) => id),
    ).map((row) => `${[row.title, ...breadcrumb(row.title, row.headings)].filter(Boolean).join(" > ")}\n${row.text}`);
    const result = await reranker.rerank(question, texts, AbortSignal.timeout(desk.settings["rerank-ms"]));
    if ("fallback" in result) return { ranking, told: told(`${result.fallback}: ${result.reason}`) };
    const share = desk.settings["rerank-blend"] ?? meaning.rerank.blend;
    const scores = new Map(head.map(({ id }, i) => [id, result.scores[i] ?? Number.NaN]));
    return { ranking: blend(ranking, result.scores, share), told: told(), scores };
  } catch (error) {
    if (!(error instanceof GestaltError) || error.code !== "model-missing") throw error;
    return rerank === "auto" ? { ranking } : { ranking, told: told(`model-missing: ${error.message}; ${error.hint}`) };
  }
}
