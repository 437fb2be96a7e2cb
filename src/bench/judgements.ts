/**
 * How relevant each judged document is to one query: id → grade. A grade is 0 or more; 0 means judged and not relevant.
 */
export type Judgements = ReadonlyMap<string, number>;

/** Query id → its judgements. */
export type Qrels = ReadonlyMap<string, Judgements>;

/** A document found for a query. Higher is better. */
export type Scored = { readonly id: string; readonly score: number };

/** Query id → what was found, best first. The order of the list is the ranking; ids are unique in it. */
export type Run = ReadonlyMap<string, readonly Scored[]>;

/**
 * One number for one answer, in [0, 1].
 *
 * @param ranked document ids, best first, each once
 * @param judged an id that is not in it counts as grade 0
 * @param k how many of `ranked` are looked at: 1 or more, or Infinity for all of them
 * @returns 0 when nothing judged is relevant, or nothing was found
 */
export type Metric = (ranked: readonly string[], judged: Judgements, k: number) => number;

/** Relevant means a grade above 0. */
export const isRelevant = (judged: Judgements, id: string): boolean => (judged.get(id) ?? 0) > 0;

export const countRelevant = (judged: Judgements): number => [...judged.values()].filter((grade) => grade > 0).length;

/** The relevant among the first `k`. */
export const relevantIn = (ranked: readonly string[], judged: Judgements, k: number): number =>
  ranked.slice(0, k).filter((id) => isRelevant(judged, id)).length;
