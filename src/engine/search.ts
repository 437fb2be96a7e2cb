import type { Database } from "bun:sqlite";
import { messageOf } from "../errors.ts";
import { passageCount } from "../store/lexical.ts";
import { hasVectors, pendingCount } from "../store/vectors.ts";
import type { Freshness } from "../types.ts";
import type { Desk } from "./desk.ts";
import { embedPending } from "./embed.ts";
import { type FoundHit, hitsOf, sectionsFound } from "./hits.ts";
import { isAboutModels, type Meaning } from "./meaning.ts";
import { type Mode, type Ranked, rankPassages } from "./pipeline.ts";
import { type Refreshed, type RunOptions, refresh } from "./refresh.ts";

/** `auto` takes the best that can answer here and now. */
export type AskedMode = Mode | "auto";

export type SearchOptions = RunOptions & { readonly limit: number; readonly mode: AskedMode };

export type Answer = {
  readonly query: string;
  /** What answered. */
  readonly mode: Mode;
  readonly hits: readonly FoundHit[];
  readonly index: Freshness;
  /** What the reader should know of this answer, in words. */
  readonly remarks: readonly string[];
};

/** A section as a benchmark needs it. */
export type RankedSection = { readonly path: string; readonly block: string; readonly score: number };

/** Below this share of embedded passages meaning would see too little of the notes to have a say. */
const enough = 0.9;
/** Milliseconds a search may spend on embedding: for what was edited lately, and for a first look at new notes. */
const catchUp = { edited: 1500, first: 15_000 };

/** The sections that answer a question best, after the changes on disk are taken in. */
export async function search(desk: Desk, text: string, options: SearchOptions): Promise<Answer> {
  const refreshed = await refresh(desk, options);
  const { ranked, mode, remarks, db } = await ranking(desk, refreshed, text, options);
  const rows = sectionsFound(db, text, ranked.ranking).slice(0, options.limit);
  const { notes } = refreshed.index.pending;
  const passages = pendingCount(db);
  if (notes > 0) remarks.push(`the index is behind by ${notes} notes; bring it up to date with: gestalt index`);
  if (ranked.relaxed) remarks.push("no section has the quoted phrase; these have its words");
  return {
    query: text,
    mode,
    hits: hitsOf(desk, db, rows, ranked),
    index: { fresh: notes === 0, pending: { notes, passages } },
    remarks,
  };
}

/** The same ranking without what only people read: for benchmarks. */
export async function rank(
  desk: Desk,
  text: string,
  options: SearchOptions,
): Promise<{ readonly ranking: readonly RankedSection[]; readonly mode: Mode }> {
  const { ranked, mode, db } = await ranking(desk, await refresh(desk, options), text, options);
  const found = sectionsFound(db, mode === "reference" ? "" : text, ranked.ranking).slice(0, options.limit);
  return { mode, ranking: found.map(({ path, block, score }) => ({ path, block, score })) };
}

async function ranking(desk: Desk, { db, first }: Refreshed, text: string, { mode: asked, ...run }: SearchOptions) {
  const remarks: string[] = [];
  const withMeaning = asked === "auto" || asked === "dense" || asked === "hybrid";
  const meaning = withMeaning ? await meaningFor(desk, db, asked, first, run, remarks) : undefined;
  const mode = chosen(desk, db, asked, meaning);
  let ranked: Ranked;
  try {
    ranked = await rankPassages(desk, db, text, mode, meaning);
  } catch (error) {
    if (!withMeaning || !isAboutModels(error)) throw error;
    remarks.push(`answered by words alone: ${error.message}`);
    return { ranked: await rankPassages(desk, db, text, "lexical", undefined), mode: "lexical" as const, remarks, db };
  }
  return { ranked, mode, remarks, db };
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
    if (pendingCount(db) > 0) {
      const deadline = performance.now() + (first ? catchUp.first : catchUp.edited);
      await embedPending(desk, db, { deadline, onProgress: first ? run.onProgress : undefined });
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
    if (!isAboutModels(error)) throw error;
    remarks.push(`answered by words alone: ${messageOf(error)}`);
    return undefined;
  }
}

function chosen(desk: Desk, db: Database, asked: AskedMode, meaning: Meaning | undefined): Mode {
  if (meaning !== undefined) return asked === "auto" ? "hybrid" : asked === "dense" ? "dense" : "hybrid";
  if (asked === "reference" || asked === "lexical") return asked;
  return hasVectors(db, desk.place.vectors) ? "consensus" : "lexical";
}
