/**
 * How well notes answer a question, in numbers that mean nothing by themselves: `words` by the words they share (`wordSignal`),
 * `meaning` the cosine of the question and the nearest passage, where there is a vector of the question.
 */
export type Signals = { readonly words: number; readonly meaning?: number | undefined };

/** The signals of everyday prompts, which these notes do not answer: what "nothing" looks like here. */
export type NullSignals = readonly Signals[];

/**
 * √(coverage · bm25), 0 or more: much of the question stands in one passage, and what stands there is rare in these notes.
 *
 * @param coverage the share of the question's idf found in one passage, in [0, 1]; a word that no passage has weighs most
 * @param bm25 the best passage's score, 0 or more
 */
export const wordSignal = (coverage: number, bm25: number): number => Math.sqrt(coverage * bm25);

/**
 * Whether a question is better served by these notes than everyday prompts are: its score passes the `strictness` quantile
 * of theirs, by words alone or by words and meaning together. The latter is the sum of both in units of the null,
 * (x − mean) / standard deviation, and is looked at when the question and all of the null have a meaning.
 *
 * No score of a search has a meaning across vaults; what carries over is this comparison. It needs no judged question.
 * Words may decide alone, since a question in the notes' own rare words needs no second opinion, and there are vaults (talk,
 * names) in which everyday prompts lie as near as questions do. Who looks twice sees more by chance: the second look must
 * pass the quantile with half the tail.
 *
 * @param strictness in [0, 1]; 0 lets everything pass, 0.98 one everyday prompt in fifty by words, one in a hundred by both
 * @returns false for a null of none: nothing is known then
 */
export function passesGate(signals: Signals, nulls: NullSignals, strictness: number): boolean {
  if (strictness <= 0) return true;
  if (nulls.length === 0) return false;
  const words = unitsOf(nulls.map((row) => row.words));
  const byWords = (row: Signals) => words(row.words);
  if (exceeds(byWords, signals, nulls, strictness)) return true;
  const cosines = nulls.flatMap(({ meaning }) => meaning ?? []);
  if (signals.meaning === undefined || cosines.length < nulls.length) return false;
  const meaning = unitsOf(cosines);
  return exceeds((row) => byWords(row) + meaning(row.meaning ?? 0), signals, nulls, (1 + strictness) / 2);
}

function exceeds(score: (row: Signals) => number, signals: Signals, nulls: NullSignals, quantile: number): boolean {
  const sorted = nulls.map(score).sort((a, b) => a - b);
  return score(signals) > (sorted[Math.ceil(quantile * sorted.length) - 1] ?? Number.POSITIVE_INFINITY);
}

/** A signal that does not vary in the null counts as it stands. */
function unitsOf(values: readonly number[]): (value: number) => number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return (value) => (value - mean) / (deviation || 1);
}
