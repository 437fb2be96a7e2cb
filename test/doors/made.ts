const words =
  "queue retry worker budget garden river signal anchor copper lantern orchard pepper saddle timber velvet winter".split(
    " ",
  );

/** Notes by path, the same for the same count; each is a few sections of a few words, with a word of its own: `note17`. */
export function madeNotes(count: number): Record<string, string> {
  let seed = 1;
  const next = (limit: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
  };
  const sentence = () => Array.from({ length: 6 + next(10) }, () => words[next(words.length)]).join(" ");
  const notes: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const sections = Array.from({ length: 1 + next(3) }, () => `## ${sentence()}\n\n${sentence()}.\n`);
    notes[`folder${i % 7}/note-${i}.md`] = `# Note ${i}\n\nThis is note${i}. ${sentence()}\n\n${sections.join("\n")}`;
  }
  return notes;
}
