import type { Database } from "bun:sqlite";
import { type ConsensusKnobs, consensus } from "../rank/consensus.ts";
import { fusions } from "../rank/fusions.ts";
import { completed } from "../rank/likely.ts";
import { normalisers } from "../rank/normalisers.ts";
import { distinct } from "../rank/ranking.ts";
import { twoLevel } from "../rank/two-level.ts";
import { type LexicalAnswer, lexical, lexicalAsReference } from "../store/lexical.ts";
import { noteOfPassage } from "../store/notes.ts";
import type { Weights } from "../store/postings.ts";
import { parseQuery, type Query, toMatch } from "../store/query.ts";
import { withoutVector } from "../store/vectors.ts";
import type { Ranking } from "../types.ts";
import type { Comparing } from "./comparing.ts";
import type { Desk } from "./desk.ts";
import { insist } from "./insist.ts";
import type { Meaning } from "./meaning.ts";

/** What can answer. `reference` is the form of the system whose numbers are reproduced: for benchmarks. */
export type Mode = "reference" | "lexical" | "consensus" | "dense" | "hybrid";

/** Chosen on development data; see knowledge/decisions. */
export const tuning = {
  weights: { title: 2, headings: 2, text: 1, extra: 0.1 } satisfies Weights,
  /** Candidates of each leg, and of what is fused. */
  depth: 100,
  /** The note's share beside its section's, by words and by meaning. */
  noteShare: { words: 0.25, meaning: 0.25 },
  /** With the question's meaning at hand, and without. */
  consensus: { hybrid: { lambda: 0.3, k: 10, power: 8 }, words: { lambda: 0.45, k: 10, power: 8 } },
};

/** Passages best first, and what was learnt on the way. */
export type Ranked = {
  readonly ranking: Ranking;
  readonly query: Query;
  /** One weight per term of the query. */
  readonly weights: readonly number[];
  readonly relaxed: boolean;
  /** What the words found by themselves; undefined in the reference's form. */
  readonly words?: LexicalAnswer;
  /** The cosine of the question and the nearest passage, where there is a model. */
  readonly nearest?: number | undefined;
};

/**
 * Ranks passages.
 *
 * words ─┐                 (passages and notes, mixed)
 *        ├─ fuse ─ consensus of neighbours ─ exact things first
 * meaning┘                 (passages and notes, mixed)
 *
 * @param meaning needed by `dense` and `hybrid` alone
 * @param within the notes that may answer; all of them when undefined
 */
export async function rankPassages(
  desk: Desk,
  db: Database,
  text: string,
  mode: Mode,
  meaning: Meaning | undefined,
  within?: ReadonlySet<number>,
): Promise<Ranked> {
  const query = parseQuery(text, { stopWords: desk.settings.stopwords });
  // A filter must act before the cut: all are looked at then.
  const depth = within === undefined ? tuning.depth : Number.MAX_SAFE_INTEGER;
  if (mode === "reference") {
    const match = toMatch(text);
    const ranking = match === undefined ? [] : cut(lexicalAsReference(db, match, depth), within, tuning.depth);
    return { ranking, query, weights: [], relaxed: false };
  }
  // Where the model has a thread of its own (the warm process) it reads the question while its words are looked up.
  const vector = mode === "dense" || mode === "hybrid" ? meaning?.embedder.embedQuery(text) : undefined;
  vector?.catch(() => {});
  // The thread has the text before this one is busy.
  if (vector !== undefined) await Bun.sleep(0);
  const words = lexical(db, query, tuning.weights, 2 * depth, desk.postings);
  const weights = query.terms.map(({ weight }, i) => weight * (words.idf[i] ?? 0));
  const done = (ranking: Ranking, nearest?: number): Ranked => ({
    ranking,
    query,
    weights,
    relaxed: words.relaxed,
    words,
    nearest,
  });
  const byWords = cut(mixed(words), within, 2 * tuning.depth);
  const exact = cut(words.exact, within);
  if (mode === "lexical") return done(byWords);
  const comparing = await desk.comparing();
  if (mode === "consensus")
    return done(insist(agreed(comparing, scaled(byWords.slice(0, tuning.depth)), tuning.consensus.words), exact));
  if (meaning === undefined || vector === undefined) throw new Error(`${mode} needs a model`);

  const dense = denseLeg(comparing, db, await vector, depth);
  const byMeaning = cut(dense.ranking, within);
  if (mode === "dense") return done(byMeaning, dense.nearest);
  const candidates = byWords.slice(0, tuning.depth);
  const unseen = withoutVector(db, "passage", idsOf(candidates));
  const fused = fusions[meaning.fusion.name]
    .fuse(
      {
        lexical: { ranking: withNobody(byWords).slice(0, tuning.depth), floor: 0 },
        dense: { ranking: completed(byMeaning, candidates, unseen), floor: -1 },
      },
      meaning.fusion.knobs,
    )
    .filter(({ id }) => id !== nobody);
  return done(insist(agreed(comparing, fused.slice(0, tuning.depth), tuning.consensus.hybrid), exact), dense.nearest);
}

/**
 * A passage without any of the words, at the end of a list that holds all that have one. Its score is known to be 0, and so is
 * that of every passage that meaning alone finds; else a word that a single note has would weigh nothing beside meaning.
 */
const nobody = -1;
const withNobody = (ranking: Ranking): Ranking => [...ranking, { id: nobody, score: 0 }];

/** The words leg: a passage's own score, and its note's. */
const mixed = ({ ranking, notes }: LexicalAnswer): Ranking =>
  twoLevel(ranking, notes, noteOfPassage, tuning.noteShare.words);

/** The meaning leg: the nearest passages, each with its note's nearness mixed in. */
function denseLeg(
  comparing: Comparing,
  db: Database,
  vector: Float32Array,
  depth: number,
): { readonly ranking: Ranking; readonly nearest: number | undefined } {
  const passages = comparing.nearest("passage", vector, depth);
  const notes = comparing.nearest("note", vector, depth);
  const byPassage = distinct(passages.map(({ id, score }) => ({ id: noteOfPassage(id), score })));
  const known = completed(notes, byPassage, withoutVector(db, "note", idsOf(byPassage)));
  const ranking = twoLevel(passages, known, noteOfPassage, tuning.noteShare.meaning);
  return { ranking, nearest: passages[0]?.score };
}

/** The first `most` of the passages whose notes may answer. */
const cut = (ranking: Ranking, within: ReadonlySet<number> | undefined, most?: number): Ranking =>
  (within === undefined ? ranking : ranking.filter(({ id }) => within.has(noteOfPassage(id)))).slice(0, most);

const idsOf = (ranking: Ranking): readonly number[] => ranking.map(({ id }) => id);

const agreed = (comparing: Comparing, ranking: Ranking, knobs: ConsensusKnobs): Ranking =>
  consensus(ranking, (ids) => comparing.cosines("passage", ids), knobs);

/** Scores in units of their own spread. */
function scaled(ranking: Ranking): Ranking {
  const scores = normalisers.zscore(
    ranking.map(({ score }) => score),
    0,
  );
  return ranking.map(({ id }, i) => ({ id, score: scores[i] ?? 0 }));
}
