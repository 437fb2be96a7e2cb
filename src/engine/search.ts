import type { Database } from "bun:sqlite";
import { availableParallelism } from "node:os";
import { type Filter, notesWithin } from "../store/filter.ts";
import { passageCount } from "../store/lexical.ts";
import { explained } from "../store/open.ts";
import { hasVectors, pendingCount } from "../store/vectors.ts";
import type { Freshness } from "../types.ts";
import { afterwards } from "./afterwards.ts";
import type { Desk } from "./desk.ts";
import { embedPending } from "./embed.ts";
import { type FoundHit, hitsOf, sectionsFound } from "./hits.ts";
import { isAboutModels, type Meaning } from "./meaning.ts";
import { type Mode, type Ranked, rankPassages } from "./pipeline.ts";
import { freshnessOf, type Refreshed, type RunOptions, refresh } from "./refresh.ts";
import { type Reread, reread, type Scores } from "./reread.ts";
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

/** Below this share of embedded passages meaning sees too little of the notes to have a say; see knowledge/decisions. */
const enough = 0.5;
/** Milliseconds a search may spend on embedding: for what was edited lately, and for a first look at new notes. */
const catchUp = { edited: 1500, first: 15_000 };
/** Threads it does so with: each takes 55 MB, and a search keeps within 250. */
const most = Math.min(2, availableParallelism());

/** The sections that answer a question best, after the changes on disk are taken in. */
export async function search(desk: Desk, text: string, options: SearchOptions): Promise<Answer> {
  const sureOf = judgeOf(desk.settings);
  const refreshed = await refresh(desk, options);
  const { ranked, mode, remarks, db, within, reread, scores } = await ranking(desk, refreshed, text, options);
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
    index: freshnessOf(db, waiting),
    remarks,
    ...(reread === undefined ? {} : { reread }),
    ...sure,
  };
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
  const { ranked, mode, db, reread, scores } = await ranking(desk, await refresh(desk, options), text, options);
  const found = sectionsFound(db, mode === "reference" ? "" : text, ranked.ranking, options.limit);
  const embedder = mode === "dense" || mode === "hybrid" ? (await desk.meaning()).embedder : undefined;
  return {
    mode,
    ranking: found.map(({ path, block, score }) => ({ path, block, score })),
    reread,
    sure: scores?.get(found[0]?.id ?? -1),
    embedder: embedder && { profile: embedder.profile, device: (await embedder.ready()).provider },
  };
}

/** Ranks passages by the best that can answer. */
export async function ranking(
  desk: Desk,
  { db, first, remark }: Refreshed,
  text: string,
  { mode: asked, filter, ...run }: SearchOptions,
) {
  const within = filter && notesWithin(db, filter);
  const remarks: string[] = remark === undefined ? [] : [remark];
  const withMeaning = asked === "auto" || asked === "dense" || asked === "hybrid";
  const meaning = withMeaning ? await meaningFor(desk, db, asked, first, run, remarks) : undefined;
  const found = { mode: chosen(desk, db, asked, meaning, remarks), remarks, db, within };
  try {
    return { ...found, ...(await ranked(desk, db, text, found.mode, meaning, within)) };
  } catch (error) {
    if (found.mode === "lexical" || found.mode === "reference") throw error;
    byWordsAlone(desk, error, remarks);
    return { ...found, mode: "lexical" as const, ...(await ranked(desk, db, text, "lexical", undefined, within)) };
  }
}

/** rank → read again → what the settings say of the order */
async function ranked(
  desk: Desk,
  db: Database,
  text: string,
  mode: Mode,
  meaning: Meaning | undefined,
  within: ReadonlySet<number> | undefined,
): Promise<{ readonly ranked: Ranked; readonly reread?: Reread | undefined; readonly scores?: Scores | undefined }> {
  const first = await rankPassages(desk, db, text, mode, meaning, within);
  if (mode === "reference") return { ranked: first };
  const second =
    mode === "hybrid" && meaning !== undefined ? await reread(desk, db, text, first.ranking, meaning) : first;
  const today = new Date().toISOString().slice(0, 10);
  return {
    ranked: { ...first, ranking: afterwards(db, second.ranking, desk.settings, today) },
    ...("told" in second ? { reread: second.told, scores: second.scores } : {}),
  };
}

/** The model and as many vectors as the time allows; undefined, with a remark, when there is no meaning to be had. */
async function meaningFor(
  desk: Desk,
  db: Database,
  asked: AskedMode,
  first: boolean,
  run: RunOptions,
  remarks: string[],
): Promise<Meaning | undefined> {
  try {
    const meaning = await desk.meaning();
    // Where models are shared there is somebody who embeds while nobody asks.
    if (desk.models === undefined && pendingCount(db) > 0) {
      const deadline = performance.now() + (first ? catchUp.first : catchUp.edited);
      await embedPending(desk, db, { deadline, threads: most, onProgress: first ? run.onProgress : undefined });
    }
    const [pending, total] = [pendingCount(db), passageCount(db)];
    if (asked === "auto" && pending > (1 - enough) * total) {
      remarks.push(
        `answered without the question's meaning: ${pending} of ${total} passages wait for it; gestalt index`,
      );
      return undefined;
    }
    return meaning;
  } catch (error) {
    byWordsAlone(desk, error, remarks);
    return undefined;
  }
}

/** Adds the remark on why meaning has no say, once. What is not about models or vectors is thrown on. */
function byWordsAlone(desk: Desk, error: unknown, remarks: string[]): void {
  const reason = explained(desk.place.vectors, error);
  if (!isAboutModels(reason)) throw error;
  const remark = `answered by words alone: ${reason.message}; ${reason.hint}`;
  if (!remarks.includes(remark)) remarks.push(remark);
}

function chosen(desk: Desk, db: Database, asked: AskedMode, meaning: Meaning | undefined, remarks: string[]): Mode {
  if (meaning !== undefined) return asked === "dense" ? "dense" : "hybrid";
  if (asked === "reference" || asked === "lexical") return asked;
  try {
    return hasVectors(db, desk.place.vectors) ? "consensus" : "lexical";
  } catch (error) {
    byWordsAlone(desk, error, remarks);
    return "lexical";
  }
}
