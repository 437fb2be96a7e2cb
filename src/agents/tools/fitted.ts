import type { Json } from "./tool.ts";

/**
 * The answer with as many items, first ones first, as fit into `room` characters of JSON. May hold none, when already the
 * first is too long.
 *
 * @param answer makes the answer of the items that are shown, and says how many are not
 */
export function fitted<T>(items: readonly T[], room: number, answer: (shown: readonly T[]) => Json): Json {
  let most = items.length;
  for (;;) {
    const made = answer(items.slice(0, most));
    const over = JSON.stringify(made).length - room;
    if (over <= 0 || most === 0) return made;
    for (let freed = 0; most > 0 && freed < over; ) freed += sizeOf(items[--most]);
  }
}

const sizeOf = (item: unknown): number => JSON.stringify(item).length + 1;
