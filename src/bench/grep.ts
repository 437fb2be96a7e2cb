import type { NoteSource } from "../notes/source.ts";

const word = /[\p{L}\p{N}]+/gu;

/**
 * The baseline that needs no index: notes by how many different words of the question they hold, then by how often they
 * hold any, then in path order. A word counts wherever its letters stand, as for `grep -i`.
 *
 * @returns a ranker that has all texts in memory
 */
export function grep(source: NoteSource): (query: string, limit: number) => readonly { path: string; score: number }[] {
  const texts = source.sweep().entries.map(({ path }) => {
    const note = source.parse(path, source.read(path));
    const passages = note.sections.flatMap((section) => section.passages.map(({ text }) => text));
    return { path, text: [note.title, ...passages].join("\n").toLowerCase() };
  });
  return (query, limit) => {
    const words = [...new Set([...query.toLowerCase().matchAll(word)].map(([found]) => found))];
    return texts
      .map(({ path, text }) => ({ path, score: scoreOf(text, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  };
}

/** Different words before the point, occurrences behind it. */
function scoreOf(text: string, words: readonly string[]): number {
  let distinct = 0;
  let total = 0;
  for (const word of words) {
    const times = text.split(word).length - 1;
    if (times > 0) distinct += 1;
    total += times;
  }
  return distinct === 0 ? 0 : distinct + total / (total + 1);
}
