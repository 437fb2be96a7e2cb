import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openTokenizer } from "../../src/models/tokenizer.ts";
import { vendoredTokenizer } from "../../src/models/vendored.ts";
import golden from "./golden/tokens.json";
import { tokenizer as tiny } from "./graphs.ts";
import { besides, goldenOf } from "./shared.ts";

const builtIn = (maxTokens = 512) =>
  openTokenizer(vendoredTokenizer.settings, maxTokens, readFileSync(vendoredTokenizer.vocabulary, "utf8"));

const published = (folder: string, maxTokens = 512) =>
  openTokenizer(JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")), maxTokens);

describe.each(["bge-small-en-v1.5-q", "all-minilm-l6-v2-q"])("%s", (name) => {
  const folder = besides(name);
  test.skipIf(folder === undefined)(
    "ids are those of the Rust tokenizer, although its file asks for padding and cutting",
    async () => {
      const encoder = await published(folder!);
      for (const { text, ids } of goldenOf(folder!)) expect(encoder.encode(text).ids).toEqual(ids);
    },
  );
});

test("the built-in vocabulary, kept as lines, gives the Rust tokenizer's ids on 300 random and some awkward texts", async () => {
  const encoder = await builtIn();
  for (const { text, ids } of golden.rows) expect({ text, ids: encoder.encode(text).ids }).toEqual({ text, ids });
});

test("pairs carry ids and segment numbers as the Rust tokenizer gives them", async () => {
  const encoder = await builtIn();
  for (const { first, second, ids, types } of golden.pairs)
    expect(encoder.encodePair(first, second)).toEqual({ ids, types });
});

test("a long text is cut to the model's length, its closing token kept", async () => {
  const { ids } = (await builtIn(8)).encode("one two three four five six seven eight nine");
  expect(ids).toHaveLength(8);
  expect([ids[0], ids[7]]).toEqual([101, 102]);
});

test("cutting characters first changes nothing that a model would see", async () => {
  const encoder = await builtIn(16);
  const long = "retrieval ".repeat(16 * 32);
  expect(encoder.encode(long).ids).toEqual(encoder.encode("retrieval ".repeat(20)).ids);
});

test("of a long pair the second text is cut, and the first keeps half the room at most", async () => {
  const encoder = await openTokenizer(tiny(), 9);
  expect(encoder.encodePair("a b", "c d c d c d c d")).toEqual({
    ids: [2, 4, 5, 3, 6, 7, 6, 7, 3],
    types: [0, 0, 0, 0, 1, 1, 1, 1, 1],
  });
  expect(encoder.encodePair("a a a a a a a", "b b b b b").ids).toEqual([2, 4, 4, 4, 3, 5, 5, 5, 3]);
  expect(encoder.encodePair("a", "").ids).toEqual([2, 4, 3, 3]);
});

test("a special token written in a text is one in a prompt, and letters in plain text", async () => {
  const encoder = await openTokenizer(tiny(), 9);
  expect(encoder.encodePrompt("a[SEP]b")).toEqual([4, 3, 5]);
  expect(encoder.encodePlain("a[SEP]b")).toEqual([4, 1, 1, 1, 5]);
});

test("a model without special tokens gets none", async () => {
  expect((await openTokenizer(tiny(false), 9)).encode("a b").ids).toEqual([4, 5]);
});

test("no string throws, and no encoding is longer than the model takes", async () => {
  const encoder = await builtIn(32);
  const check = (text: string) => {
    const { ids, types } = encoder.encode(text);
    expect(ids.length).toBeLessThanOrEqual(32);
    expect(types).toHaveLength(ids.length);
    expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 30_522)).toBe(true);
    expect(encoder.encodePair(text, text).ids.length).toBeLessThanOrEqual(32);
  };
  for (const text of [
    "",
    "\0",
    "\ud800",
    "a\udfffb\ud83d",
    "\u200b".repeat(1e6),
    "x".repeat(1e6),
    "数".repeat(1e6),
    "𠀀".repeat(3e5),
  ])
    check(text);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), check));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), check));
});

test("a lone surrogate is read as the replacement character", async () => {
  const encoder = await builtIn();
  expect(encoder.encode("a\ud800b").ids).toEqual(encoder.encode("a\ufffdb").ids);
});

test.each([[null], ["text"], [{}], [{ model: null }], [{ model: { type: "WordPiece", vocab: {} } }]])(
  "%p is not a tokenizer",
  async (settings) => {
    await expect(openTokenizer(settings, 8)).rejects.toThrow();
  },
);
