import type { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { cosinesBySql, openCosines } from "../../src/store/cosines.ts";
import { nearest, openMatrices, vectorsOf } from "../../src/store/nearest.ts";
import { loadVectorFunctions } from "../../src/store/open.ts";
import { attachVectors, modelId } from "../../src/store/vector-file.ts";
import { bytesOf, isLinked, link, pendingCount, pendingTexts, putVectors, vectorIn } from "../../src/store/vectors.ts";
import { indexOf, noteOf, textsOf } from "./fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "gestalt-vectors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Numbers in a vector: no multiple of what is summed side by side. */
const dims = 10;

/** A unit vector that depends on `seed` alone. */
const vectorOf = (seed: number): Float32Array => {
  const raw = Float32Array.from({ length: dims }, (_, i) => Math.sin(seed * 7.3 + i * i + 1));
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
};

/** Gives every waiting text the vector of its place in line; returns the model's id. */
function embedAll(db: Database, file = join(folder, `${files++}.db`)): number {
  attachVectors(db, file, { create: true });
  const model = modelId(db, "a model", "test", dims);
  link(db, model);
  putVectors(
    db,
    model,
    pendingTexts(db, 100).map(({ key }, i) => [key, vectorOf(i)] as const),
  );
  link(db, model);
  return model;
}

test("a stored vector is the vector, bit for bit", () => {
  const numbers = fc.array(fc.float({ noNaN: true }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(numbers, (raw) => expect(vectorIn(bytesOf(Float32Array.from(raw)))).toEqual(Float32Array.from(raw))),
  );
});

describe.each([40, 41])("nearest of %d", (count) => {
  const db = textsOf(...Array.from({ length: count }, (_, i) => `text ${i}`));
  embedAll(db);
  const byHand = (vector: Float32Array) =>
    [...vectorsOf(db, "passage", passageIds(db))]
      .map(([id, other]) => ({ id, score: other.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0) }))
      .sort((a, b) => b.score - a.score || a.id - b.id);

  test.each([
    ["from the database, with sqlite-vec", true],
    ["from memory", false],
  ])("%s finds what comparing all by hand finds", (_, quick) => {
    if (quick && !loadVectorFunctions(db)) return console.log("skipped: this SQLite loads no extension");
    for (const seed of [100, 101, 102]) {
      const found = nearest(db, "passage", vectorOf(seed), 5, quick);
      expect(found.map(({ id }) => id)).toEqual(
        byHand(vectorOf(seed))
          .slice(0, 5)
          .map(({ id }) => id),
      );
      for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(byHand(vectorOf(seed))[i]?.score ?? 0, 4);
    }
  });

  test("asks for more than there is, or for nothing", () => {
    const matrices = openMatrices();
    expect(matrices.nearest(db, "passage", vectorOf(1), 100).length).toBe(count);
    expect(matrices.nearest(db, "passage", vectorOf(1), 0)).toEqual([]);
  });
});

test("the cosines of rows with each other are the same both ways, and unknown for a row without a vector", () => {
  const db = textsOf("one", "two", "three", "four");
  embedAll(db);
  const [first = 0, second = 0, third = 0, fourth = 0] = passageIds(db);
  db.run("UPDATE passage SET vector = NULL WHERE id = ?", [second]);
  const vectors = vectorsOf(db, "passage", [first, third, fourth]);
  const between = (a: number, b: number) =>
    vectors.get(a)!.reduce((sum, value, i) => sum + value * vectors.get(b)![i]!, 0);
  const ways = [openCosines(), ...(loadVectorFunctions(db) ? [cosinesBySql] : [])];
  for (const cosines of ways) {
    const ids = [fourth, second, first, third];
    const found = cosines(db, "passage", ids);
    expect(found[1]).toBeUndefined();
    for (const i of [0, 2, 3])
      for (const j of [0, 2, 3]) expect(found[i]?.[j]).toBeCloseTo(between(ids[i]!, ids[j]!), 4);
    // What the same room held before is gone.
    const [, alone] = cosines(db, "passage", [second, first]);
    expect(alone).toHaveLength(2);
    expect(alone?.[0]).toBe(0);
    expect(alone?.[1]).toBeCloseTo(1, 4);
    expect(cosines(db, "passage", [])).toEqual([]);
    expect(cosines(db, "passage", [second])).toEqual([undefined]);
  }
});

test("vectors in memory follow whatever is written", () => {
  const texts = Array.from({ length: 8 }, (_, i) => `text ${i}`);
  const written = fc.array(fc.record({ place: fc.nat(7), vector: fc.option(fc.nat(8)) }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(written, { maxLength: 4 }), (rounds) => {
      const db = textsOf(...texts);
      embedAll(db);
      const ids = passageIds(db);
      const links = (db.query("SELECT vector FROM passage ORDER BY id").values() as [number][]).flat();
      const matrices = openMatrices();
      const found = (of: typeof matrices) => of.nearest(db, "passage", vectorOf(3), 9);
      for (const round of [[], ...rounds]) {
        for (const { place, vector } of round)
          db.run("UPDATE passage SET vector = ? WHERE id = ?", [
            vector === null ? null : (links[vector] ?? 1_000_000),
            ids[place]!,
          ]);
        // Alone, it has read all of it anew.
        expect(found(matrices)).toEqual(found(openMatrices()));
      }
      db.run("DELETE FROM passage");
      expect(found(matrices)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

const passageIds = (db: Database) => (db.query("SELECT id FROM passage").values() as [number][]).map(([id]) => id);

describe("vectors belong to texts", () => {
  test("a second index of the same texts needs none of its own", () => {
    const file = join(folder, "shared.db");
    const first = textsOf("same words", "other words");
    expect(pendingTexts(first, 10).length).toBe(2);
    embedAll(first, file);
    const second = indexOf([noteOf("elsewhere/under-another-name.md", "same words")]);
    attachVectors(second, file, { create: true });
    link(second, modelId(second, "a model", "test", dims));
    expect(pendingCount(second)).toBe(0);
  });

  test("another model starts with nothing, and going back costs nothing", () => {
    const db = textsOf("one", "two");
    const model = embedAll(db);
    const other = modelId(db, "another model", "test", dims);
    link(db, other);
    expect([pendingCount(db), isLinked(db, other)]).toEqual([2, true]);
    link(db, model);
    expect([pendingCount(db), isLinked(db, model)]).toEqual([0, true]);
  });

  test("a file of vectors that was made anew is not taken for the old one", () => {
    const db = textsOf("one", "two");
    embedAll(db);
    db.run("DETACH DATABASE vectors");
    attachVectors(db, join(folder, "new.db"), { create: true });
    const model = modelId(db, "a model", "test", dims);
    expect(isLinked(db, model)).toBe(false);
    link(db, model);
    expect(pendingCount(db)).toBe(2);
  });

  test("a note of one passage shares its vector; one of several has its own", () => {
    const passage = (text: string, block: string) => ({ block, text, start: 1, end: 1, anchors: [] });
    const section = { level: 0, headings: [], block: "overview", start: 1, end: 1 };
    const several = noteOf("b.md", "", {
      sections: [{ ...section, passages: [passage("first", "overview"), passage("second", "overview-p2")] }],
    });
    const db = indexOf([noteOf("a.md", "only"), several]);
    expect(pendingTexts(db, 10).map(({ text }) => text)).toEqual(["first", "second", "only"]);
    embedAll(db);
    const unembedded = db.query("SELECT count(*) AS n FROM note WHERE vector IS NULL").get();
    expect(unembedded).toEqual({ n: 0 });
  });
});
