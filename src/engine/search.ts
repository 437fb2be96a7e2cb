import type { Filter } from "../store/filter.ts";
import type { Freshness } from "../types.ts";
import type { Desk } from "./desk.ts";
import { type FoundHit, hitsOf, sectionsFound } from "./hits.ts";
import type { Mode } from "./pipeline.ts";
import { ranking } from "./ranking.ts";
import { freshnessOf, type RunOptions, refresh } from "./refresh.ts";
import type { Reread } from "./reread.ts";
import { type Confidence, judgeOf } from "./sure.ts";

/** `auto` takes the best that can answer here and now. */
export type AskedMode = Mode | "auto";

export type SearchOptions = RunOptions & {
  readonly limit: number;
  readonly mode: AskedMode;
  readonly filter?: Filter;
};

export type Answer = {
  readonly query: string;
  /** What answered. */
  readonly mode: Mode;
  readonly hits: readonly FoundHit[];
  readonly index: Freshness;
  /** What the reader should know of this answer, in words. */
  readonly remarks: readonly string[];
  /** The second reading, where there was one. */
  readonly reread?: Reread | undefined;
} & Partial<Confidence>;

/** A section as a benchmark needs it. */
export type RankedSection = { readonly path: string; readonly block: string; readonly score: number };

/** The sections that answer a question best, after the changes on disk are taken in. */
export async function search(desk: Desk, text: string, options: SearchOptions): Promise<Answer> {
  const sureOf = judgeOf(desk.settings);
  const refreshed = await refresh(desk, options);
  return await ranking(desk, refreshed, text, options, ({ ranked, mode, remarks, db, within, reread, scores }) => {
    const rows = sectionsFound(db, text, ranked.ranking, options.limit, within);
    const { waiting } = refreshed;
    if (waiting > 0) remarks.push(`the index is behind by ${waiting} notes; bring it up to date with: gestalt index`);
    if (reread?.fallback !== undefined) remarks.push(`not read again: ${reread.fallback}`);
    if (ranked.relaxed) remarks.push("no section has the quoted phrase; these have its words");
    const sure = sureOf?.(scores?.get(rows[0]?.id ?? -1), remarks);
    return {
      query: text,
      mode,
      hits: hitsOf(desk, db, rows, ranked),
      index: freshnessOf(desk, db, waiting),
      remarks,
      ...(reread === undefined ? {} : { reread }),
      ...sure,
    };
  });
}

/**
 * A ranking, and what made it. `embedder` is the model that read the question, and where it ran; `sure` is the second
 * reader's own score of the first section.
 */
export type RankedAnswer = {
  readonly ranking: readonly RankedSection[];
  readonly mode: Mode;
  readonly reread: Reread | undefined;
  readonly sure: number | undefined;
  readonly embedder: { readonly profile: string; readonly device: string } | undefined;
};

/** The same ranking without what only people read: for benchmarks. */
export async function rank(desk: Desk, text: string, options: SearchOptions): Promise<RankedAnswer> {
  const refreshed = await refresh(desk, options);
  return await ranking(desk, refreshed, text, options, async ({ ranked, mode, db, reread, scores }) => {
    const found = sectionsFound(db, mode === "reference" ? "" : text, ranked.ranking, options.limit);
    const embedder = mode === "dense" || mode === "hybrid" ? (await desk.meaning()).embedder : undefined;
    return {
      mode,
      ranking: found.map(({ path, block, score }) => ({ path, block, score })),
      reread,
      sure: scores?.get(found[0]?.id ?? -1),
      embedder: embedder && { profile: embedder.profile, device: (await embedder.ready()).provider },
    };
  });
}
