import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawIndex, pythonRandom } from "./random.ts";

/** Pieces that words are made of, and words that a question can ask for. */
const starts = "ar bel cor dan el fir gal hem in jor kal lum mar nor ol par quin ros sel tam ur ver wes yar zen".split(
  " ",
);
const middles = "a e i o u ada eli ino oru ume ati era iso olu".split(" ");
const ends = "ble den fer gon lar men ner pol rin sto tal ver wick xis".split(" ");
const topics =
  "deployment rollback latency cache retry queue index backup migration schema token session invoice customer meeting roadmap incident alert container network storage parser compiler release review".split(
    " ",
  );

/** One made-up note, and where it lies below the vault. About 1.6 kB. */
export type MadeNote = { readonly path: string; readonly text: string };

type Draw = { index(n: number): number; below(share: number): boolean; word(): string; words(n: number): string };

/**
 * Made-up notes, always the same for a seed: front matter, headings, paragraphs of words as unevenly frequent as in a
 * language, lists, fences, links to each other.
 *
 * @param count of notes, 1 or more
 */
export function* syntheticNotes(count: number, seed = 20_251_130): Generator<MadeNote> {
  const draw = drawing(seed);
  for (let i = 0; i < count; i++) yield { path: pathOf(i), text: noteOf(i, count, draw) };
}

const pathOf = (i: number): string => join(`area-${i % 24}`, `note-${i}.md`);

function drawing(seed: number): Draw {
  const random = pythonRandom(seed);
  const index = (n: number) => drawIndex(random, n);
  const pick = (pieces: readonly string[]) => pieces[index(pieces.length)] ?? "";
  const all = shuffled(
    starts.flatMap((start) => middles.flatMap((middle) => ends.map((end) => start + middle + end))),
    index,
  );
  // The n-th word is about 1 / n as frequent as the first.
  const word = () => (random() < 0.08 ? pick(topics) : (all[Math.floor(all.length ** random()) - 1] ?? all[0] ?? ""));
  return {
    index,
    word,
    below: (share) => random() < share,
    words: (n) => Array.from({ length: n }, word).join(" "),
  };
}

/** All of them in an order that the draws give. */
function shuffled(words: readonly string[], index: (n: number) => number): readonly string[] {
  const order = [...words];
  for (let i = order.length - 1; i > 0; i--) {
    const j = index(i + 1);
    [order[i], order[j]] = [order[j] ?? "", order[i] ?? ""];
  }
  return order;
}

function noteOf(i: number, count: number, { index, below, word, words }: Draw): string {
  const title = `${words(3)} ${i}`;
  const date = `2025-${String((i % 12) + 1).padStart(2, "0")}-${String((i % 28) + 1).padStart(2, "0")}`;
  const lines = ["---", `title: ${title}`, `tags: [topic-${i % 19}]`, `created: ${date}`, "---", "", `# ${title}`, ""];
  for (let section = 0; section < 2 + index(3); section++) {
    lines.push(`## ${words(2)}`, "");
    for (let paragraph = 0; paragraph < 1 + index(2); paragraph++) lines.push(`${words(22 + index(20))}.`, "");
    if (below(0.3)) lines.push(...Array.from({ length: 3 }, () => `- ${words(6)}`), "");
    if (below(0.15)) lines.push("```ts", `const ${word()} = ${word()}(${index(1000)});`, "```", "");
  }
  lines.push(`See [[note-${index(count)}]]. The mark of this note is mark${i}.`, "");
  return lines.join("\n");
}

/** Writes such notes into a folder, which is made. Returns their bytes. */
export function writeSyntheticNotes(folder: string, count: number): number {
  let bytes = 0;
  for (let area = 0; area < 24; area++) mkdirSync(join(folder, `area-${area}`), { recursive: true });
  for (const { path, text } of syntheticNotes(count)) {
    writeFileSync(join(folder, path), text);
    bytes += Buffer.byteLength(text);
  }
  return bytes;
}
