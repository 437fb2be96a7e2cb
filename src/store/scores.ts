/**
 * Scores by id, in the order of ids, each once. Two columns: a question adds up some thousand scores, and an object for each costs
 * ten times what its numbers do.
 */
export type Scores = { readonly ids: Float64Array; readonly values: Float64Array };

/** Zeroes, to be filled in the order of ids. */
export const emptyScores = (size: number): Scores => ({ ids: new Float64Array(size), values: new Float64Array(size) });

/** Each id's scores in all lists added up, each list times its scale. Sorted by id, as the lists are. */
export function sumOf(lists: readonly { readonly of: Scores; readonly scale: number }[]): Scores {
  // The short ones first, so that the long ones are gone through once.
  const ordered = lists.toSorted((a, b) => a.of.ids.length - b.of.ids.length);
  let sum = emptyScores(0);
  for (const { of, scale } of ordered) sum = added(sum, of, scale);
  return sum;
}

function added(a: Scores, b: Scores, scale: number): Scores {
  const most = a.ids.length + b.ids.length;
  const { ids, values } = emptyScores(most);
  let [i, j, n] = [0, 0, 0];
  while (i + j < most) {
    const left = a.ids[i] ?? Number.POSITIVE_INFINITY;
    const right = b.ids[j] ?? Number.POSITIVE_INFINITY;
    let value = 0;
    if (left <= right) value = a.values[i++] ?? 0;
    if (right <= left) value += scale * (b.values[j++] ?? 0);
    ids[n] = Math.min(left, right);
    values[n++] = value;
  }
  return { ids: ids.subarray(0, n), values: values.subarray(0, n) };
}

/** An id's score; undefined when it has none. */
export function scoreOf({ ids, values }: Scores, id: number): number | undefined {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ids[middle] ?? id) < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? values[from] : undefined;
}
