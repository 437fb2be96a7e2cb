/**
 * How well notes answer a question, in numbers that mean nothing by themselves: `words` by the words they share (`wordSignal`),
 * `meaning` the cosine of the question and the nearest passage, where there is a vector of the question.
 */
export type Signals = { readonly words: number; readonly meaning?: number | undefined };

/** What prompts score that these notes do not answer: what "nothing" looks like here. */
export type Null = {
  /** What is said to an agent all day. */
  readonly everyday: readonly Signals[];
  /** Questions of many subjects. Notes may be about some of them, not about half. */
  readonly elsewhere: readonly Signals[];
};

/**
 * coverage · √bm25, 0 or more: much of the question stands in one passage, and what stands there is rare in these notes. A question
 * of other subjects shares some words with many passages, its long ones enough for a high BM25; none of them covers it.
 *
 * @param coverage the share of the question's idf found in one passage, in [0, 1]; a word that no passage has weighs most
 * @param bm25 the best passage's score, 0 or more
 */
export const wordSignal = (coverage: number, bm25: number): number => coverage * Math.sqrt(bm25);

/** What the second look may let through of everyday prompts, beside what the first does: who looks twice sees more by chance. */
const secondLook = 0.6;

/**
 * Whether a question is better served by these notes than prompts are that they do not answer, by words alone or by words and meaning
 * together: the sum of both in units of everyday prompts, (x − mean) / standard deviation. The sum is looked at when the question and
 * all of the null have a meaning.
 *
 * No score of a search has a meaning across vaults; what carries over is this comparison. It needs no judged question.
 * Words may decide alone, since a question in the notes' own rare words needs no second opinion, and there are vaults (talk,
 * names) in which everyday prompts lie as near as questions do. Words must pass the `strictness` quantile of everyday prompts. So far out
 * there are two or three of them, and a quantile of theirs is chance; for the sum it is that of a normal distribution as wide as their
 * sums. Where questions of any subject lie nearer than everyday talk (notes in the prose of an encyclopedia), the sum must pass as much
 * more as their median does: half of them may be what the notes are about before that tells anything else.
 *
 * @param strictness in [0, 1]; 0 lets everything pass, 0.98 two everyday prompts of a hundred by words, one more by both
 * @returns false without everyday prompts: nothing is known then
 */
export function passesGate(signals: Signals, { everyday, elsewhere }: Null, strictness: number): boolean {
  if (strictness <= 0) return true;
  if (everyday.length === 0) return false;
  const sorted = everyday.map((row) => row.words).sort((a, b) => a - b);
  if (signals.words > (sorted[Math.ceil(strictness * sorted.length) - 1] ?? Number.POSITIVE_INFINITY)) return true;
  const cosines = everyday.flatMap(({ meaning }) => meaning ?? []);
  if (signals.meaning === undefined || cosines.length < everyday.length) return false;
  const [words, meaning] = [unitsOf(sorted), unitsOf(cosines)];
  const sum = (row: Signals) => words(row.words) + meaning(row.meaning ?? 0);
  const units = unitsOf(everyday.map(sum));
  const nearer = Math.max(0, median(elsewhere.map((row) => units(sum(row)))));
  return units(sum(signals)) > normalQuantile(secondLook * (1 - strictness)) + nearer;
}

/** 0 for none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** How far above its mean a normal value lies with probability `tail` in (0, 0.5], in standard deviations, to 0.003 (Hastings). */
function normalQuantile(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail));
  return tail > 0 ? t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t) : Number.POSITIVE_INFINITY;
}

/** A signal that does not vary in the null counts as it stands. */
function unitsOf(values: readonly number[]): (value: number) => number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return (value) => (value - mean) / (deviation || 1);
}
