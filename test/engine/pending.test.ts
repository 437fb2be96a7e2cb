import { describe, expect, test } from "bun:test";
import type { Engine } from "../../src/engine/open.ts";
import type { AskedMode } from "../../src/engine/search.ts";
import { tryLock } from "../../src/store/lock.ts";
import { looking, openVault, talk, type Vault } from "./vault.ts";

/** Meaning finds all of them near any question about their one subject. */
const notes = Object.fromEntries(
  Array.from({ length: 24 }, (_, i) => [
    `note-${i}.md`,
    `# Remarks ${i}\n\n## Details\n\n${talk[i % 6]} ${talk[(i + 1 + Math.floor(i / 6)) % 6]}\n`,
  ]),
);

/** Lends an engine that finds somebody else embedding, so that what has no vector stays without. */
async function withoutEmbedding<T>(vault: Vault, use: (engine: Engine) => Promise<T>): Promise<T> {
  const lock = tryLock(`${vault.place.db}.vectors`);
  try {
    return await vault.open(use);
  } finally {
    lock?.release();
  }
}

const embedded = async (): Promise<Vault> => {
  const vault = openVault(notes);
  await vault.open((engine) => engine.index());
  return vault;
};

/** A word that no other note has, and a question in which the other words stand in many notes. */
const additions = [
  ["Brillowex is what the vendor calls it.", "which service is brillowex when the limit is reached"],
  ["It was set by `retry_backoff_cap` that night.", "what does retry_backoff_cap do after each failure"],
  ["Ask Thessaly about the tests.", "did thessaly say that the build runs the tests"],
  ["The code was E40417.", "requests are refused with E40417 until the window has passed"],
] as const;

describe.each(["hybrid", "consensus", "auto"] as const)("%s", (mode: AskedMode) => {
  test("finds a note edited just now by its rare word, though it has no vector yet", async () => {
    const vault = await embedded();
    for (const [i, [sentence, question]] of additions.entries()) {
      const path = `note-${5 * i + 1}.md`;
      vault.write(path, `${notes[path]}\n${sentence}\n`);
      await vault.index();
      const {
        hits,
        index,
        mode: took,
      } = await withoutEmbedding(vault, (engine) => engine.search(question, { limit: 3, mode }));
      expect([took, index.pending.passages]).toEqual([mode === "auto" ? "hybrid" : mode, i + 1]);
      expect([question, hits.map((hit) => hit.path)]).toEqual([question, expect.arrayContaining([path])]);
    }
  }, 30_000);
});

test("the only passage with a word of the question is first, with its vector or without", async () => {
  const vault = await embedded();
  vault.write("note-3.md", `${notes["note-3.md"]}\nZymurgist and quaver.\n`);
  await vault.index();
  const { hits } = await withoutEmbedding(vault, (engine) =>
    engine.search("zymurgist quaver", { limit: 3, mode: "hybrid" }),
  );
  expect(hits[0]?.path).toBe("note-3.md");
}, 30_000);

test("from half of the vectors on, meaning has a say unasked", async () => {
  const vault = await embedded();
  for (let i = 0; i < 14; i++) {
    vault.write(`note-${i}.md`, `${notes[`note-${i}.md`]}\nMore of note ${i}.\n`);
    await vault.index();
    const { mode } = await withoutEmbedding(vault, (engine) => engine.search("the build", { limit: 3, mode: "auto" }));
    expect([i + 1, mode]).toEqual([i + 1, i < 12 ? "hybrid" : "consensus"]);
  }
}, 60_000);

test("a passage is not held to be far because its note as a whole has no vector yet", async () => {
  const vault = openVault({
    ...notes,
    "walrus.md": "# Walrus\n\nA walrus lies on the ice.\n\n## Teeth\n\nIts tusks are long teeth of ivory.\n",
    "ivory.md": "# Ivory\n\nIvory is the stuff of long teeth and of piano keys.\n",
  });
  await vault.open((engine) => engine.index());
  const nearness = async () => {
    const { ranking } = await withoutEmbedding(vault, (engine) =>
      engine.rank("how long are the tusks of a walrus", { limit: 30, mode: "dense" }),
    );
    return ranking.find(({ path, block }) => path === "walrus.md" && block === "teeth")?.score ?? 0;
  };
  const whole = await nearness();
  looking(vault.place.db, (db) => {
    db.query("ATTACH DATABASE ? AS vectors").run(vault.place.vectors);
    db.run(`DELETE FROM vectors.vector WHERE id = (SELECT vector FROM note WHERE path = 'walrus.md')`);
    db.run("UPDATE note SET vector = NULL WHERE path = 'walrus.md'");
  });
  // 0.056; it was 0.093 when the farthest note that was found stood in for it.
  expect(Math.abs((await nearness()) - whole)).toBeLessThan(0.07);
}, 30_000);
