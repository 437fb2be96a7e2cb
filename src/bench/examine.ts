import type { Engine } from "../engine/open.ts";
import { byMeaning } from "../engine/ranking.ts";
import type { Hit } from "../types.ts";
import type { Case } from "./golden.ts";
import type { Answering } from "./systems.ts";

/** How a case came out. `rank` counts from 1 among the first five, null when nothing right was there. */
export type Outcome = {
  readonly id: string;
  readonly bucket: string;
  readonly query: string;
  readonly accept: readonly string[];
  readonly negative: boolean;
  readonly rank: number | null;
  /** Whether the right note came at its right section; null where none was asked for, or the note was not found. */
  readonly block: boolean | null;
  /** Score of the first hit, null when there was none. */
  readonly top: number | null;
  /** What answered. */
  readonly mode: string;
  /** Whether a hook would have answered it as a prompt. */
  readonly served: boolean;
};

export type Mode = Exclude<Answering, "grep" | "reference"> | "auto";

/** How questions are asked: by search, and of the gate of hooks (`strictness` as it is set). */
export type Asking = { readonly mode: Mode; readonly strictness: number };

/** Hits that are looked at, and those that count. */
const ASKED = 10;
const COUNTED = 5;

/** Asks one case. The note that a question was taken from is passed over. */
export async function examine(engine: Engine, one: Case, { mode, strictness }: Asking): Promise<Outcome> {
  const answer = await engine.search(one.query, { limit: ASKED, mode });
  const recalled = await engine.recall(one.query, { limit: 1, meaning: byMeaning(mode), strictness, sweep: false });
  const hits = answer.hits.filter(({ path }) => path !== one.from);
  const at = hits.slice(0, COUNTED).findIndex((hit) => isRight(hit, one));
  const found = hits[at];
  return {
    id: one.id,
    bucket: one.bucket,
    query: one.query,
    accept: one.accept,
    negative: one.accept.length === 0,
    rank: found === undefined ? null : at + 1,
    block: found === undefined || one.block === undefined ? null : isBlock(found, one.block),
    top: hits[0]?.score ?? null,
    mode: answer.mode,
    served: recalled?.served ?? false,
  };
}

const isRight = ({ slug, path }: Hit, { accept }: Case): boolean => accept.includes(slug) || accept.includes(path);

/** The reference's rule: the same id but for the number of the part, or an anchor inside. */
const isBlock = (hit: Hit & { readonly anchors?: readonly string[] }, block: string): boolean =>
  hit.block.replace(/-p\d+$/, "") === block || (hit.anchors?.includes(block) ?? false);
