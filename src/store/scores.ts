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
  const { ids, values } = emptyScores(ordered.reduce((all, { of }) => all + of.ids.length, 0));
  let size = 0;
  for (const { of, scale } of ordered) size = add({ ids, values }, size, of, scale);
  return { ids: ids.subarray(0, size), values: values.subarray(0, size) };
}

/**
 * Adds a list to the first `size` scores of a sum that has room for it, and returns their new number. In place: what is there moves to
 * the end, and is merged from there to the beginning. No index passes an end, which would cost the compiled code its speed.
 */
function add(
  { ids, values }: Scores,
  size: number,
  { ids: moreIds, values: moreValues }: Scores,
  scale: number,
): number {
  const end = ids.length;
  const others = moreIds.length;
  let i = end - size;
  let j = 0;
  let n = 0;
  ids.copyWithin(i, 0, size);
  values.copyWithin(i, 0, size);
  while (i < end && j < others) {
    const left = ids[i]!;
    const right = moreIds[j]!;
    ids[n] = Math.min(left, right);
    if (left < right) values[n++] = values[i++]!;
    else if (right < left) values[n++] = scale * moreValues[j++]!;
    else values[n++] = values[i++]! + scale * moreValues[j++]!;
  }
  while (i < end) {
    ids[n] = ids[i]!;
    values[n++] = values[i++]!;
  }
  while (j < others) {
    ids[n] = moreIds[j]!;
    values[n++] = scale * moreValues[j++]!;
  }
  return n;
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
