import type { Database } from "bun:sqlite";
import { availableParallelism } from "node:os";
import { notesWithin } from "../store/filter.ts";
import { passageCount } from "../store/lexical.ts";
import { explained } from "../store/open.ts";
import { hasVectors, pendingCount } from "../store/vectors.ts";
import { afterwards } from "./afterwards.ts";
import type { Desk } from "./desk.ts";
import { embedPending } from "./embed.ts";
import { isAboutModels, type Meaning } from "./meaning.ts";
import { type Mode, type Ranked, rankPassages } from "./pipeline.ts";
import type { Refreshed, RunOptions } from "./refresh.ts";
import { type Reread, reread, type Scores } from "./reread.ts";
import type { AskedMode, SearchOptions } from "./search.ts";
import { steadily } from "./steadily.ts";

/** Below this share of embedded passages meaning sees too little of the notes to have a say; see knowledge/decisions. */
const enough = 0.5;
/** Milliseconds a search may spend on embedding: for what was edited lately, and for a first look at new notes. */
const catchUp = { edited: 1500, first: 15_000 };
/** Threads it does so with: each takes 55 MB, and a search keeps within 250. */
const most = Math.min(2, availableParallelism());

/** Whether a question is to be asked by its meaning too, where that can be had. */
export const byMeaning = (asked: AskedMode): boolean => asked === "auto" || asked === "dense" || asked === "hybrid";

/** Ranks passages by the best that can answer, and makes of them what is wanted, all from one state of the index. */
export async function ranking<T>(
  desk: Desk,
  { db, first, remark }: Refreshed,
  text: string,
  { mode: asked, filter, ...run }: SearchOptions,
  use: (found: Found) => T | Promise<T>,
): Promise<T> {
  const said: string[] = remark === undefined ? [] : [remark];
  const meaning = byMeaning(asked) ? await meaningFor(desk, db, asked, first, run, said) : undefined;
  return await steadily(db, async () => {
    const remarks = [...said];
    const within = filter && notesWithin(db, filter);
    const found = { mode: chosen(desk, db, asked, meaning, remarks), remarks, db, within };
    try {
      return await use({ ...found, ...(await ranked(desk, db, text, found.mode, meaning, within)) });
    } catch (error) {
      if (found.mode === "lexical" || found.mode === "reference") throw error;
      byWordsAlone(desk, error, remarks);
      const byWords = await ranked(desk, db, text, "lexical", undefined, within);
      return await use({ ...found, mode: "lexical", ...byWords });
    }
  });
}

export type Found = OfRanking & {
  readonly mode: Mode;
  readonly remarks: string[];
  readonly db: Database;
  readonly within: ReadonlySet<number> | undefined;
};
type OfRanking = {
  readonly ranked: Ranked;
  readonly reread?: Reread | undefined;
  readonly scores?: Scores | undefined;
};

/** rank → read again → what the settings say of the order */
async function ranked(
  desk: Desk,
  db: Database,
  text: string,
  mode: Mode,
  meaning: Meaning | undefined,
  within: ReadonlySet<number> | undefined,
): Promise<OfRanking> {
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
