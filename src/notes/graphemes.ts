/** How far a cluster may reach; longer ones are cut between code points. */
const reach = 32;

/**
 * The last offset above `after` and not above `at` that cuts no character in two: no surrogate pair, and no letter from its
 * accents or emoji from its modifiers. Where one character reaches back to `after`, it is cut between code points.
 */
export function graphemeBefore(text: string, at: number, after = 0): number {
  if (at <= after || at >= text.length) return Math.min(at, text.length);
  // Two of ASCII never cling together (and lines end in a line feed here).
  if (text.charCodeAt(at) < 128 && text.charCodeAt(at - 1) < 128) return at;
  const from = Math.max(after, at - reach);
  const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text.slice(from, at + reach));
  const cut = from + (clusters.containing(at - from)?.index ?? at - from);
  if (cut > from) return cut;
  return isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
