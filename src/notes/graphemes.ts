/** How far a cluster may reach; longer ones are cut between code points. */
const reach = 32;

/**
 * The last offset at or before `at` that cuts no character in two: no surrogate pair, and no letter from its accents or
 * emoji from its modifiers. Never below 1 when `at` is at least 1, so that cutting goes on.
 */
export function graphemeBefore(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  // Two letters of ASCII never cling together (and a line feed is a line feed here).
  if (text.charCodeAt(at) < 128 && text.charCodeAt(at - 1) < 128) return at;
  const from = Math.max(0, at - reach);
  const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text.slice(from, at + reach));
  const cut = from + (clusters.containing(at - from)?.index ?? at - from);
  if (cut > from) return cut;
  const splits = isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
  return splits && at > 1 ? at - 1 : at;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
