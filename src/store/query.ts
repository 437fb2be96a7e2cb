import { fold, pairs, partsOf, specials, spelling, unspacedRuns } from "./words.ts";

/**
 * One thing a question asks for. `match` is an FTS5 expression that cannot fail to parse; `literals` are the folded
 * strings it stands for in a text, for snippets; `weight` is its share beside a plain word's 1.
 */
export type Term = {
  readonly match: string;
  readonly kind: "word" | "together" | "part" | "phrase";
  readonly literals: readonly string[];
  readonly weight: number;
  /** It names one thing exactly: an identifier, an error code, a quoted phrase. */
  readonly exact?: true;
};

/** A question, taken apart. `required` are quoted phrases: FTS5 expressions a passage should satisfy. */
export type Query = { readonly terms: readonly Term[]; readonly required: readonly string[] };

/**
 * Closed-class English words: they say how a question is put, not what it is about. `t`, `s`, … are what an apostrophe
 * leaves behind.
 */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so than that the their them then there these they this to us was we were what when where which who whom " +
    "why will with would you your don doesn didn isn aren wasn weren won couldn shouldn wouldn hasn haven hadn"
  ).split(" "),
);
const elisions: ReadonlySet<string> = new Set(["t", "s", "d", "m", "re", "ve", "ll"]);
const quoted = /"([^"]*)"|“([^”]*)”/g;
const piece = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const maxTerms = 64;

/** Chunks that are names of things, where standing together is the point; a hyphen makes one only beside a digit. */
const identifier = /_|::|[\p{L}\p{N}][./\\:@#][\p{L}\p{N}]|^[/~.]|\p{N}-|-\p{N}/u;
/** A note's file name, whose extension no note holds. */
const noteFile = /(\p{L}|\p{N})\.(?:md|markdown)$/iu;
/** A word that is a code or a name by its looks: digits among letters, capitals inside. */
const codeLike = /\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{Ll}/u;
/** What two content words of prose gain by standing together. Measured: from 0.3 up it hurts; see knowledge/decisions. */
const proximity = 0.1;
/** What a part of a compound word counts beside the whole. */
const partShare = 0.3;

/**
 * Takes apart what a person typed. No input is an error: every word becomes a quoted FTS5 string, so AND, NEAR, `*` and
 * `-` are text. Words that are glued (`src/index.ts`, `snake_case`) are asked for one by one and standing together.
 *
 * @param options.stopWords drop closed-class words, unless nothing else is left
 */
export function parseQuery(text: string, options: { readonly stopWords: boolean }): Query {
  const source = text.normalize("NFKC").slice(0, 10_000);
  const required: string[] = [];
  const terms = new Map<string, Term>();
  const add = (term: Term) => {
    if (!terms.has(term.match) && terms.size < maxTerms) terms.set(term.match, term);
  };
  const rest = source.replace(quoted, (_, straight?: string, curly?: string) => {
    const words = [...(straight ?? curly ?? "").matchAll(piece)].map(([found]) => found);
    if (words.length === 0) return " ";
    const match = phraseOf(words);
    required.push(match);
    add({ match, kind: "phrase", literals: [fold(words.join(" "))], weight: 1, exact: true });
    return ` ${words.join(" ")} `;
  });

  const chunks = rest.split(/\s+/u).filter(Boolean);
  const content = chunks.flatMap((chunk) => termsOf(chunk, options.stopWords));
  const asked = content.length > 0 ? content : chunks.flatMap((chunk) => termsOf(chunk, false));
  // A question of one word is meant word for word.
  const only = chunks.length === 1;
  for (const term of asked) add(only && term.kind !== "together" ? { ...term, exact: true } : term);
  for (const term of neighbours(asked)) add(term);
  return { terms: [...terms.values()], required: required.filter((match) => match.length > 0) };
}

/** Whether a term is looked for among the extra words alone. */
export const isExtra = ({ match }: Term): boolean => match.startsWith("extra : ");

/** The reference's form: every word as typed, in order, joined by OR. `undefined` when there is no letter or digit. */
export function toMatch(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}_]+/gu);
  return words?.map((word) => `"${word}"`).join(" OR ");
}

/** Each two words in a row, also where a stop word stood between them, as a phrase (Metzler & Croft, SIGIR 2005). */
function neighbours(terms: readonly Term[]): Term[] {
  const words = terms.filter((term) => term.kind === "word" && !isExtra(term));
  return words.slice(1).map((second, i) => {
    const literals = [words[i]?.literals[0] ?? "", second.literals[0] ?? ""];
    return { match: phraseOf(literals), kind: "together", literals: [literals.join(" ")], weight: proximity };
  });
}

const phraseOf = (words: readonly string[]): string => `"${words.join(" ")}"`;
const word = (text: string, kind: Term["kind"] = "word"): Term => ({
  match: phraseOf([text.toLowerCase()]),
  kind,
  literals: [fold(text)],
  weight: 1,
  ...(kind === "word" && codeLike.test(text) ? { exact: true as const } : {}),
});

/** The terms of one chunk between spaces. */
function termsOf(typed: string, dropStopWords: boolean): Term[] {
  const chunk = typed.replace(noteFile, "$1");
  const symbols = specials(chunk);
  const terms: Term[] = symbols.map(({ word, typed }) => ({
    match: `extra : "${word}"`,
    kind: "word",
    literals: [typed.toLowerCase()],
    weight: 1,
    exact: true,
  }));
  // "C++" is the symbol; its bare letter would find every note on C.
  const bare = symbols.reduce((left, { typed }) => left.replace(typed, " "), chunk);
  const pieces = [...bare.matchAll(piece)].map(([found]) => found);
  const kept = dropStopWords ? pieces.filter((found, i) => !isStopWord(found, i, pieces, bare)) : pieces;
  for (const found of kept) terms.push(...termsOfWord(found));
  if (pieces.length > 1 && kept.length > 0) {
    const together = { match: phraseOf(pieces), kind: "together", literals: [fold(pieces.join(" "))] } as const;
    const named = identifier.test(chunk) || chunk !== typed;
    terms.push(named ? { ...together, weight: 1, exact: true } : { ...together, weight: proximity });
  }
  return terms;
}

function isStopWord(text: string, place: number, all: readonly string[], chunk: string): boolean {
  const folded = fold(text);
  return stopWords.has(folded) || (place > 0 && elisions.has(folded) && /['’]/.test(chunk) && all.length === 2);
}

/** One word: itself, and what it is made of when it is a compound or of a script without spaces. */
function termsOfWord(text: string): Term[] {
  const runs = unspacedRuns(text);
  if (runs.length > 0) {
    const terms = runs.flatMap((run) => termsOfRun(run));
    for (const part of partsOf(text).filter((part) => unspacedRuns(part).length === 0)) terms.push(word(part));
    return terms;
  }
  const other = spelling(text);
  const whole = other === undefined ? [word(text)] : [word(text), word(other, "part")];
  const parts = partsOf(text);
  if (parts.length === 0) return whole;
  return [
    ...whole,
    { match: `extra : ${phraseOf(parts)}`, kind: "together", literals: [], weight: 1 },
    ...parts.filter((part) => part.length > 1).map((part) => ({ ...word(part, "part"), weight: partShare })),
  ];
}

/**
 * A run of an unspaced script: its pairs, and all of them in a row, which is as exact as a quoted phrase: a model of one
 * language knows nothing of it. A single character is a prefix of its pairs.
 */
function termsOfRun(run: string): Term[] {
  const signs = pairs(run);
  if (signs.length === 1) return [{ match: `extra : "${signs[0]}" *`, kind: "word", literals: [run], weight: 1 }];
  const couples = signs.slice(0, -1);
  const exact = { literals: [run], weight: 1, exact: true } as const;
  if (couples.length === 1) return [{ match: `extra : "${couples[0]}"`, kind: "part", ...exact }];
  const parts = couples.map(
    (couple): Term => ({ match: `extra : "${couple}"`, kind: "part", literals: [couple], weight: 1 }),
  );
  return [...parts, { match: `extra : ${phraseOf(couples)}`, kind: "together", ...exact }];
}
