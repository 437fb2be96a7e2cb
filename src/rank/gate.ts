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
 * of theirs. The score is the sum of the signals in units of the null, (x − mean) / standard deviation. `meaning` counts
 * when the question and all of the null have it.
 *
 * No score of a search has a meaning across vaults; what carries over is this comparison. It needs no judged question.
 *
 * @param strictness in [0, 1]; 0 lets everything pass, 0.98 one everyday prompt in fifty
 * @returns false for a null of none: nothing is known then
 */
export function passesGate(signals: Signals, nulls: NullSignals, strictness: number): boolean {
  if (strictness <= 0) return true;
  if (nulls.length === 0) return false;
  const score = scorer(nulls, signals.meaning !== undefined);
  const sorted = nulls.map(score).sort((a, b) => a - b);
  const threshold = sorted[Math.ceil(strictness * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
  return score(signals) > threshold;
}

/** A signal that does not vary in the null says nothing. */
function scorer(nulls: NullSignals, withMeaning: boolean): (signals: Signals) => number {
  const words = unitsOf(nulls.map((row) => row.words));
  const cosines = withMeaning ? nulls.flatMap(({ meaning }) => meaning ?? []) : [];
  if (cosines.length < nulls.length) return (signals) => words(signals.words);
  const meaning = unitsOf(cosines);
  return (signals) => words(signals.words) + meaning(signals.meaning ?? Number.NEGATIVE_INFINITY);
}

function unitsOf(values: readonly number[]): (value: number) => number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return (value) => (value - mean) / (deviation || 1);
}
