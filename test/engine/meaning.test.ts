import { describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { EngineSettings } from "../../src/engine/knobs.ts";
import { withEngine } from "../../src/engine/open.ts";
import type { AskedMode } from "../../src/engine/search.ts";
import { removeDatabase } from "../../src/store/open.ts";
import { defaults, looking, openVault, type Vault } from "./vault.ts";

const notes = {
  "walrus.md": "# Walrus\n\nA walrus has tusks and lies on the ice.\n",
  "penguin.md": "# Penguin\n\nA penguin walks and swims, it does not fly.\n",
  "budget.md": "# Budget\n\nRent, food and electricity are paid on the first of the month.\n",
};

const indexed = async (): Promise<Vault> => {
  const vault = openVault(notes);
  const report = await vault.open((engine) => engine.index());
  expect(report).toMatchObject({ added: 3, embedded: 3, pending: { notes: 0, passages: 0 } });
  looking(vault.place.vectors, (db) => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  return vault;
};

const ask = (vault: Vault, mode: AskedMode, settings: Partial<EngineSettings> = {}) =>
  vault.open((engine) => engine.search("bills for housing", { limit: 5, mode }), settings);

test("the first question of all is answered by meaning too, with nothing set up", async () => {
  const { mode, hits, index } = await ask(openVault(notes), "auto");
  expect([mode, hits[0]?.path, index]).toEqual([
    "hybrid",
    "budget.md",
    { fresh: true, pending: { notes: 0, passages: 0 } },
  ]);
});

test("whatever answers tells how many vectors are missing", async () => {
  const vault = openVault(notes);
  await vault.open((engine) => engine.index({ lexical: true }));
  const pending = { fresh: true, pending: { notes: 0, passages: 3 } };
  await vault.open(async (engine) => {
    expect((await engine.read("walrus")).index).toEqual(pending);
    expect((await engine.graph({ note: undefined, withhold: false })).index).toEqual(pending);
    expect((await engine.search("walrus", { limit: 1, mode: "lexical" })).index).toEqual(pending);
  });
});

test("vectors are made once for a text: not again for a moved note, another checkout, or a changed neighbour", async () => {
  const vault = await indexed();
  vault.move("walrus.md", "deep/walrus.md");
  expect(await vault.open((engine) => engine.index())).toMatchObject({ moved: 1, embedded: 0 });
  vault.write("budget.md", `${notes["budget.md"]}\n## Later\n\nInsurance.\n`);
  // The new section, and the note as a whole, whose headings changed.
  expect(await vault.open((engine) => engine.index())).toMatchObject({ changed: 1, embedded: 2 });
  const other = openVault({ ...notes, "deep/x.md": notes["walrus.md"] });
  const place = { ...other.place, vectors: vault.place.vectors };
  const report = await withEngine({ place, settings: defaults }, (engine) => engine.index());
  expect(report).toMatchObject({ added: 4, embedded: 0, pending: { notes: 0, passages: 0 } });
}, 20_000);

const spoil = {
  "eight bytes of garbage": (path: string) => writeFileSync(path, "garbage!"),
  "its second half gone": (path: string) => truncateSync(path, 4096 * Math.floor(readFileSync(path).length / 8192)),
  "zeros in all but its first page": (path: string) =>
    writeFileSync(path, Buffer.from(readFileSync(path)).fill(0, 4096)),
};

describe.each(Object.entries(spoil))("a file of vectors with %s", (_, harm) => {
  test("leaves the words to answer, in every mode, and says in a line how to mend it; that mends it", async () => {
    const vault = await indexed();
    harm(vault.place.vectors);
    for (const mode of ["auto", "consensus", "dense", "hybrid"] as const) {
      const answer = await vault.open((engine) => engine.search("walrus", { limit: 5, mode }));
      expect([answer.mode, answer.hits[0]?.path]).toEqual(["lexical", "walrus.md"]);
      expect(answer.remarks.filter((line) => line.includes(vault.place.vectors))).toHaveLength(1);
      expect(answer.remarks.join()).toContain("gestalt index --force");
    }
    const wordsOnly = await vault.open((engine) => engine.index());
    expect(wordsOnly).toMatchObject({ unchanged: 3, embedded: 0 });
    expect(wordsOnly.wordsOnly).toContain(vault.place.vectors);
    const mended = await vault.open((engine) => engine.index({ force: true }));
    expect(mended).toMatchObject({ embedded: 3, wordsOnly: undefined });
    expect((await ask(vault, "auto")).mode).toBe("hybrid");
  }, 20_000);
});

test("a file of vectors of a newer program is left alone, also by force", async () => {
  const vault = await indexed();
  looking(vault.place.vectors, (db) => db.run("PRAGMA user_version = 99"));
  expect((await ask(vault, "auto")).mode).toBe("lexical");
  await vault.open((engine) => engine.index({ force: true }));
  expect(looking(vault.place.vectors, (db) => db.query("SELECT count(*) FROM vector").values())).toEqual([[3]]);
});

test("a file of vectors that was deleted is made again", async () => {
  const vault = await indexed();
  removeDatabase(vault.place.vectors);
  expect(await vault.open((engine) => engine.index())).toMatchObject({ unchanged: 3, embedded: 3 });
  expect((await ask(vault, "auto")).hits[0]?.path).toBe("budget.md");
});

test("a model that is not there leaves the words to answer at once, and the remark names the command that gets it", async () => {
  const vault = await indexed();
  const settings = { "embed-profile": "multilingual-e5-small" } as const;
  for (const mode of ["auto", "dense", "hybrid"] as const) {
    const answer = await vault.open((engine) => engine.search("walrus", { limit: 5, mode }), settings);
    expect(answer.hits[0]?.path).toBe("walrus.md");
    expect(["lexical", "consensus"]).toContain(answer.mode);
    expect(answer.remarks.join()).toContain("gestalt model get embed/multilingual-e5-small");
  }
  const report = await vault.open((engine) => engine.index(), settings);
  expect(report).toMatchObject({ unchanged: 3, embedded: 0 });
  expect(report.wordsOnly).toContain("gestalt model get");
});

test("another model gets vectors of its own, never mixed with the first's, and going back is free", async () => {
  const vault = await indexed();
  const other = { "embed-normalize": false } as const;
  expect(await vault.open((engine) => engine.index(), other)).toMatchObject({ unchanged: 3, embedded: 3 });
  const models = looking(vault.place.vectors, (db) =>
    db.query("SELECT model, count(*) FROM vector GROUP BY model ORDER BY model").values(),
  );
  expect(models).toEqual([
    [1, 3],
    [2, 3],
  ]);
  const linked = () =>
    looking(vault.place.db, (db) => {
      db.query("ATTACH DATABASE ? AS vectors").run(vault.place.vectors);
      return db
        .query("SELECT DISTINCT v.model FROM passage JOIN vectors.vector AS v ON v.id = passage.vector")
        .values();
    });
  expect(linked()).toEqual([[2]]);
  expect(await vault.open((engine) => engine.index())).toMatchObject({ embedded: 0, pending: { passages: 0 } });
  expect(linked()).toEqual([[1]]);
}, 20_000);

test("texts that no model could like are indexed all the same: empty, huge, one long word, nothing but signs", async () => {
  const vault = openVault({
    "empty.md": "",
    "heading.md": "# \n\n## \n",
    "huge.md": "walrus ".repeat(40_000),
    "word.md": "x".repeat(100_000),
    "signs.md": "*** --- ___ \u0000 \u200b ☃ 🚀\n",
  });
  const report = await vault.open((engine) => engine.index());
  expect(report.pending.notes).toBe(0);
  expect((await ask(vault, "auto")).mode).toBe("hybrid");
}, 60_000);
