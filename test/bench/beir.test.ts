import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadBeir, wholeText } from "../../src/bench/beir.ts";
import { folderWith } from "./files.ts";
import { shared } from "./shared.ts";

const lines = (...rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const small = {
  "corpus.jsonl": lines({ _id: "d1", title: " One ", text: "first" }, { _id: "d2", title: "", text: "second" }),
  "queries.jsonl": lines({ _id: "q1", text: "which" }, { _id: "q2", text: "what" }, { _id: "q3", text: "" }),
  "qrels/test.tsv": "query-id\tcorpus-id\tscore\r\nq2\td1\t1\r\nq1\td2\t2\r\nq1\td1\t0\r\n",
};
const load = (changed: Readonly<Record<string, string | Uint8Array>> = {}) =>
  loadBeir(folderWith({ ...small, ...changed }), "test");

describe("a data set", () => {
  test("has its judged queries in the order of their file, and its documents in theirs", () => {
    const { queries, qrels, corpus, excluded } = load();
    expect(queries.map(({ id }) => id)).toEqual(["q1", "q2"]);
    expect(qrels.get("q1")).toEqual(
      new Map([
        ["d2", 2],
        ["d1", 0],
      ]),
    );
    expect([...corpus.documents()].map(({ id, ordinal }) => [id, ordinal])).toEqual([
      ["d1", 0],
      ["d2", 1],
    ]);
    expect(excluded).toBe(0);
  });

  test("keeps titles as they are written; the whole text is trimmed at its ends only", () => {
    const [first, second] = [...load().corpus.documents()];
    expect(first?.title).toBe(" One ");
    expect(first && wholeText(first)).toBe("One  first");
    expect(second && wholeText(second)).toBe("second");
  });

  test("leaves out a query to which nothing is relevant, and counts it", () => {
    const { queries, qrels, excluded } = load({ "qrels/test.tsv": "q1\td1\t1\nq2\td1\t0\n" });
    expect(queries.map(({ id }) => id)).toEqual(["q1"]);
    expect([...qrels.keys()]).toEqual(["q1"]);
    expect(excluded).toBe(1);
  });

  test("may name its queries by the split", () => {
    const { "queries.jsonl": queries, ...rest } = small;
    const dir = folderWith({ ...rest, "queries.test.jsonl": queries });
    expect(loadBeir(dir, "test").queries).toHaveLength(2);
  });

  test("may have documents without a title or a body, null fields, empty lines, CRLF and a byte order mark", () => {
    const corpus = '\ufeff{"_id":"d1","title":null}\r\n\r\n{"_id":"d2","text":"second","extra":[1]}';
    const documents = [...load({ "corpus.jsonl": corpus }).corpus.documents()];
    expect(documents.map(({ title, text }) => [title, text])).toEqual([
      ["", ""],
      ["", "second"],
    ]);
  });

  test("may keep its documents apart in groups", () => {
    const { corpus, queries } = load({
      "corpus.jsonl": lines({ _id: "d1", text: "a", metadata: { sample: "s1" } }, { _id: "d2", text: "b" }),
      "queries.jsonl": lines({ _id: "q1", text: "x", metadata: { sample: "s1" } }, { _id: "q2", text: "y" }),
    });
    expect(corpus.groups).toEqual(["s1", undefined]);
    expect(queries.map(({ group }) => group)).toEqual(["s1", undefined]);
  });

  test("is read however its lines fall on the blocks the file is read in", () => {
    const text = `${"é".repeat(700_000)}`;
    const rows = [0, 1, 2, 3].map((i) => ({ _id: `d${i}`, text: `${i}${text}` }));
    const { corpus } = load({ "corpus.jsonl": lines(...rows).trimEnd() });
    expect([...corpus.documents()].map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
    const third: unknown = JSON.parse(new TextDecoder().decode(corpus.line(2)));
    expect(third).toEqual(rows[2]);
  });
});

const good = lines({ _id: "d1", text: "a" }, { _id: "d2", text: "b" });

describe("broken data gives one line that names the place:", () => {
  test.each<[string, Readonly<Record<string, string | Uint8Array>>, RegExp]>([
    ["broken JSON", { "corpus.jsonl": `${good}{"_id": "d3", ` }, /corpus\.jsonl:3: not a JSON object/],
    ["JSON that is no object", { "corpus.jsonl": `${good}["d3"]\n` }, /corpus\.jsonl:3: not a JSON object/],
    ["not UTF-8", { "corpus.jsonl": new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x0a]) }, /corpus\.jsonl:1: not UTF-8/],
    ["a number for an id", { "corpus.jsonl": `${good}{"_id": 3}\n` }, /corpus\.jsonl:3: "_id" is not a text/],
    ["no id", { "corpus.jsonl": `${good}\n{"text": "c"}\n` }, /corpus\.jsonl:4: "_id" is not a text, or is empty/],
    [
      "half a character in an id",
      { "corpus.jsonl": `${good}{"_id": "\\ud83d"}\n` },
      /:3: "_id" holds half a character/,
    ],
    ["a list for a text", { "corpus.jsonl": `${good}{"_id": "d3", "text": ["c"]}\n` }, /:3: "text" is not a text/],
    ["a document twice", { "corpus.jsonl": good + good }, /corpus\.jsonl:3: document d1 comes twice/],
    ["a query twice", { "queries.jsonl": small["queries.jsonl"] + small["queries.jsonl"] }, /:4: query q1 comes twice/],
    [
      "an empty query that is judged",
      { "qrels/test.tsv": "q3\td1\t1\n" },
      /queries\.jsonl:3: query q3 is judged, but empty/,
    ],
    ["a judgement twice", { "qrels/test.tsv": "q1\td1\t1\nq1\td1\t1\n" }, /test\.tsv:2: document d1 is judged twice/],
    [
      "an unknown query",
      { "qrels/test.tsv": "q1\td1\t1\nq9\td1\t1\n" },
      /judges query q9, which is not in .*queries\.jsonl/,
    ],
    ["an unknown document", { "qrels/test.tsv": "q1\td9\t1\n" }, /judges document d9, which is not in .*corpus\.jsonl/],
    ["nothing relevant", { "qrels/test.tsv": "q1\td1\t0\nq2\td1\t-1\n" }, /judges nothing as relevant/],
    ["no judgement", { "qrels/test.tsv": "query-id\tcorpus-id\tscore\n" }, /holds no judgement/],
  ])("%s", (_, changed, message) => {
    expect(() => load(changed)).toThrow(message);
    expect(() => load(changed)).toThrow(expect.objectContaining({ name: "GestaltError", code: "bad-dataset" }));
  });

  test("a missing file", () => {
    for (const missing of Object.keys(small)) {
      const rest = Object.fromEntries(Object.entries(small).filter(([name]) => name !== missing));
      expect(() => loadBeir(folderWith(rest), "test")).toThrow(`${missing} is missing`);
    }
    expect(() => loadBeir(folderWith(small), "train")).toThrow(join("qrels", "train.tsv"));
    expect(() => loadBeir("no/such/folder", "test")).toThrow("is missing");
  });
});

describe("the real sets", () => {
  const sets = [
    ["scifact", "test", 5_183, 300, 339],
    ["scifact", "train", 5_183, 809, 919],
    ["nfcorpus", "test", 3_633, 323, 12_334],
    ["anthropic-docs", "test", 232, 100, 192],
    ["locomo-sessions", "test", 272, 1_982, 2_557],
  ] as const;
  for (const [name, split, documents, queries, judgements] of sets) {
    const set = shared("beir", name);
    set.test(`${name}/${split} has as many documents, queries and judgements as its description says`, () => {
      const dataset = loadBeir(set.path, split);
      expect(dataset.name).toBe(name);
      expect(dataset.corpus.ids.size).toBe(documents);
      expect(dataset.queries).toHaveLength(queries);
      expect([...dataset.qrels.values()].reduce((sum, judged) => sum + judged.size, 0)).toBe(judgements);
      expect(dataset.excluded).toBe(0);
    });
  }
});
