import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { catalogue, filesOf, findModel } from "../../src/models/catalogue.ts";
import { listModels } from "../../src/models/installed.ts";
import { folderOf, locate } from "../../src/models/locate.ts";
import { type EmbedOptions, planEmbedding } from "../../src/models/plan.ts";
import { dtypes, type EmbeddingProfile } from "../../src/models/profile.ts";
import { builtIn, embedders } from "../../src/models/profiles.ts";
import { writeRecord } from "../../src/models/record.ts";
import { isReranker } from "../../src/models/rerankers.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

const nowhere = temporary();
const options: EmbedOptions = { models: nowhere, textFormat: 1 };

/** A folder of models in which this variant is complete, as far as names and sizes go. */
function withPlaced(id: string, dtype: (typeof dtypes)[number], sha256 = "0".repeat(64)): string {
  const models = temporary();
  const entry = findModel(id);
  const files = filesOf(entry, dtype) ?? [];
  for (const { path } of files) {
    mkdirSync(dirname(join(folderOf(models, entry), path)), { recursive: true });
    writeFileSync(join(folderOf(models, entry), path), "x");
  }
  writeRecord(folderOf(models, entry), Object.fromEntries(files.map(({ path }) => [path, { sha256, bytes: 1 }])));
  return models;
}

describe.each(catalogue.map((entry) => [entry.id, entry] as const))("%s", (_, entry) => {
  test("its usual variant exists, and each hash, size and revision is whole or absent", () => {
    expect(filesOf(entry, entry.weights.dtype)).toBeDefined();
    expect(entry.weights.revision ?? "0".repeat(40)).toMatch(/^[0-9a-f]{40}$/);
    for (const dtype of dtypes)
      for (const { path, sha256, bytes } of filesOf(entry, dtype) ?? []) {
        expect(path).not.toMatch(/^\/|\.\./);
        expect(sha256 ?? "0".repeat(64)).toMatch(/^[0-9a-f]{64}$/);
        expect(bytes ?? 1).toBeGreaterThan(0);
      }
  });

  test("without a revision it says why", () => {
    if (entry.weights.revision === null) expect(entry.weights.note).toBeDefined();
  });
});

const rows: readonly (readonly [string, EmbeddingProfile])[] = Object.entries(embedders);

test.each(rows)("%s names a reranker that exists, and widths below its own", (_, profile) => {
  expect(isReranker(profile.rerank.model)).toBe(true);
  const widths = profile.narrowing?.widths ?? [];
  for (const width of "from" in widths ? [widths.from] : widths) expect(width).toBeLessThan(profile.dims);
});

test("the prefixes are those of the model cards, word for word", () => {
  expect(Object.fromEntries(rows.map(([name, { prefix }]) => [name, [prefix.query, prefix.passage]]))).toEqual({
    "bge-small-en-v1.5": ["Represent this sentence for searching relevant passages: ", ""],
    "all-minilm-l6-v2": ["", ""],
    "multilingual-e5-small": ["query: ", "passage: "],
    nomic: ["search_query: ", "search_document: "],
    "stella-400m": [
      "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: ",
      "",
    ],
    "qwen3-embedding-0.6b": [
      "Instruct: Given a question about a personal engineering knowledge base, retrieve the note section that answers it\nQuery:",
      "",
    ],
    "qwen3-4b": [
      "Instruct: Given a question about a personal engineering knowledge base, retrieve the note section that answers it\nQuery:",
      "",
    ],
  });
});

describe("finding a model", () => {
  test("by id, and by name where one kind has it", () => {
    expect(findModel("rerank/bge").id).toBe("rerank/bge");
    expect(findModel("nomic").id).toBe("embed/nomic");
  });

  test("a name that both kinds have is asked back", () => {
    expect(() => findModel("qwen3-4b")).toThrow("qwen3-4b is an embedder and a reranker");
  });

  test("a name that nobody has is refused with all there are", () => {
    expect(() => findModel("toString")).toThrow("no model toString");
  });

  test("the built-in one is always there; another is missed by the file it lacks", () => {
    expect(locate(findModel(builtIn), "int8", nowhere).hashes).toHaveLength(2);
    expect(() => locate(findModel("nomic"), "float32", nowhere)).toThrow("onnx/model.onnx is missing");
    expect(() => locate(findModel("nomic"), "q4", nowhere)).toThrow("nomic has no q4");
    const states = listModels(nowhere).map(({ id, dtype, state }) => `${id} ${dtype} ${state}`);
    expect(states).toContain(`embed/${builtIn} int8 built-in`);
    expect(states).toContain(`embed/${builtIn} float32 absent`);
  });
});

describe("a plan", () => {
  test("of nothing said is the built-in model", () => {
    expect(planEmbedding(options)).toMatchObject({ name: builtIn, dtype: "int8", width: 384, normalise: true });
  });

  test.each([
    [{ profile: "nobody" }, "no embedding model nobody"],
    [{ profile: "constructor" }, "no embedding model constructor"],
    [{ dtype: "q4" as const }, "has no q4"],
    [{ width: 128 }, "has no vectors of 128 numbers"],
  ])("refuses %p", (choice, message) => {
    expect(() => planEmbedding({ ...options, ...choice })).toThrow(message);
  });

  test("takes the widths that a row names, and no other", () => {
    const models = withPlaced("embed/nomic", "float32");
    const plan = (width: number) => planEmbedding({ ...options, models, profile: "nomic", width });
    for (const width of [768, 512, 256, 128, 64]) expect(plan(width).width).toBe(width);
    for (const width of [0, -64, 63, 100, 769, 64.5, Number.NaN]) expect(() => plan(width)).toThrow("no vectors of");
    const qwen = withPlaced("embed/qwen3-embedding-0.6b", "int8");
    const wide = (width: number) => planEmbedding({ ...options, models: qwen, profile: "qwen3-embedding-0.6b", width });
    for (const width of [32, 33, 1023, 1024]) expect(wide(width).width).toBe(width);
    for (const width of [31, 1025])
      expect(() => wide(width)).toThrow(expect.objectContaining({ hint: "one of 32 to 1024" }));
  });

  test("a narrower width is always of length 1; a full one as asked", () => {
    const models = withPlaced("embed/nomic", "float32");
    const nomic = { ...options, models, profile: "nomic", normalise: false };
    expect(planEmbedding(nomic).normalise).toBe(false);
    expect(planEmbedding({ ...nomic, width: 256 }).normalise).toBe(true);
  });

  test("its fingerprint is the same for the same, and another for whatever changes a vector", () => {
    const models = withPlaced("embed/nomic", "float32");
    const nomic = { ...options, models, profile: "nomic" };
    const prints = [
      options,
      { ...options, textFormat: 2 },
      { ...options, normalise: false },
      nomic,
      { ...nomic, width: 256 },
      { ...nomic, width: 128 },
      { ...nomic, normalise: false },
      { ...nomic, models: withPlaced("embed/nomic", "int8"), dtype: "int8" as const },
      { ...nomic, models: withPlaced("embed/nomic", "float32", "1".repeat(64)) },
    ].map((choice) => planEmbedding(choice).fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
    expect(planEmbedding({ ...options, device: "cpu", threads: 7 }).fingerprint).toBe(prints[0]!);
    expect(prints[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});
