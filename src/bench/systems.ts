import type { EngineOptions } from "../engine/open.ts";

/** How `engine.rank` answers, or `grep`, which needs no engine. */
export type Answering = "grep" | "reference" | "lexical" | "consensus" | "dense" | "hybrid";

/**
 * What a document is to a system: one text with the reference's extra word (`whole`), one text below its title
 * (`titled`), or passages cut as a user's note is, of which the best speaks for the document (`cut`).
 */
export type FormName = "whole" | "titled" | "cut";

/** One way to answer the questions of a benchmark. `about` is its line in the help. */
export type System = {
  readonly about: string;
  readonly mode: Answering;
  readonly form: FormName;
  readonly wording: NonNullable<EngineOptions["wording"]>;
  /** Needs a vector of every passage. */
  readonly vectors: boolean;
  /** Reads the best again with a cross-encoder. */
  readonly rerank: boolean;
};

const ours = { form: "titled", wording: "ours", vectors: false, rerank: false } as const;
const cut = { ...ours, form: "cut" } as const;
const hybrid = { mode: "hybrid", vectors: true } as const;

/** Every system. Add a line here; names, help and trials follow. */
export const systems = {
  grep: { ...ours, about: "how many different words of the question stand in it", mode: "grep" },
  "reference-bm25": {
    ...ours,
    about: "the reference's BM25, to the last digit",
    mode: "reference",
    form: "whole",
    wording: "plain",
  },
  lexical: { ...ours, about: "words alone: what search does before there are vectors", mode: "lexical" },
  consensus: { ...ours, about: "words, smoothed by the vectors of the notes", mode: "consensus", vectors: true },
  dense: { ...ours, about: "meaning alone", mode: "dense", vectors: true },
  hybrid: { ...ours, ...hybrid, about: "words and meaning: what search does by default" },
  rerank: { ...ours, ...hybrid, about: "hybrid, its head read again by a cross-encoder", rerank: true },
  "lexical-cut": { ...cut, about: "lexical over our own cutting", mode: "lexical" },
  "consensus-cut": { ...cut, about: "consensus over our own cutting", mode: "consensus", vectors: true },
  "dense-cut": { ...cut, about: "dense over our own cutting", mode: "dense", vectors: true },
  "hybrid-cut": { ...cut, ...hybrid, about: "hybrid over our own cutting" },
  "rerank-cut": { ...cut, ...hybrid, about: "rerank over our own cutting", rerank: true },
} satisfies Record<string, System>;

export type SystemName = keyof typeof systems;

export const systemNames: readonly string[] = Object.keys(systems);

export const isSystemName = (name: string): name is SystemName => Object.hasOwn(systems, name);
