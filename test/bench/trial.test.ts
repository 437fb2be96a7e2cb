import { describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadBeir } from "../../src/bench/beir.ts";
import type { Conversation } from "../../src/bench/conversations.ts";
import { grep } from "../../src/bench/grep.ts";
import { limitDocuments } from "../../src/bench/limit.ts";
import { resultOf, saveResult, shortResult } from "../../src/bench/result.ts";
import { beirSource, documentId, titled } from "../../src/bench/source.ts";
import { beirTask, conversationTask, type Task } from "../../src/bench/task.ts";
import { readRun } from "../../src/bench/trec.ts";
import { runTrial, type Trial } from "../../src/bench/trial.ts";
import { folderWith } from "./files.ts";
import { plainSettings } from "./settings.ts";

const documents = [
  { _id: "retry", title: "Retries", text: "A queue that retries failed jobs with a growing delay." },
  { _id: "cache", title: "Caches", text: "Eviction of old entries from a cache. A job may fill it." },
  { _id: "sqlite", title: "SQLite", text: "One file, one writer, many readers." },
];
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const dataset = (metadata: readonly object[] = []) =>
  loadBeir(
    folderWith({
      "corpus.jsonl": lines(documents.map((row, i) => ({ ...row, metadata: metadata[i] }))),
      "queries.jsonl": lines([
        { _id: "q1", text: "failed jobs", metadata: metadata[0] },
        { _id: "q2", text: "cache eviction", metadata: metadata[1] },
        { _id: "q3", text: "how many writers", metadata: metadata[2] },
      ]),
      "qrels/test.tsv": "q1\tretry\t1\nq2\tcache\t1\nq3\tsqlite\t1\n",
    }),
    "test",
    "tiny",
  );
const cutting = { ceiling: 2000, overlap: 150 };
const task = (): Task => beirTask(dataset(), cutting);
const at = (folder: string) => ({
  settings: plainSettings(),
  models: folder,
  cache: join(folder, "cache"),
  out: folder,
});
const firsts = ({ run }: Trial) => [...run].map(([query, found]) => [query, found[0]?.id]);
const right = [
  ["q1", "retry"],
  ["q2", "cache"],
  ["q3", "sqlite"],
];

describe("a trial", () => {
  test.each(["grep", "reference-bm25", "lexical", "lexical-cut"] as const)(
    "of %s answers every question",
    async (name) => {
      const trial = await runTrial(task(), name, at(folderWith({})));
      expect(firsts(trial).slice(0, 2)).toEqual(right.slice(0, 2));
      expect([...trial.run.keys()]).toEqual(["q1", "q2", "q3"]);
      expect(trial.cost.queryP95).toBeGreaterThanOrEqual(trial.cost.queryP50);
      expect(trial.cost.peakBytes).toBeGreaterThan(0);
    },
  );

  test("that was killed goes on with the next question, over half a line", async () => {
    const folder = folderWith({});
    await runTrial(task(), "lexical", at(folder));
    const file = join(folder, "tiny.test.lexical.jsonl");
    const [head, first] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${head}\n${first?.replace("retry", "marked")}\n{"query":"q2","ms":1,"fou`);
    const trial = await runTrial(task(), "lexical", at(folder));
    expect(firsts(trial)).toEqual([["q1", "marked"], ...right.slice(1)]);
  });

  test("does not take answers of another configuration for its own, and names what differs", async () => {
    const folder = folderWith({});
    await runTrial(task(), "lexical", at(folder));
    const other = { ...at(folder), settings: { ...plainSettings(), stopwords: false } };
    await expect(runTrial(task(), "lexical", other)).rejects.toThrow(
      "tiny.test.lexical.jsonl holds answers of another run: settings",
    );
  });

  test("in shares is the trial as a whole", async () => {
    const folder = folderWith({});
    const shares = [1, 2].map((index) => ({ ...at(folder), shard: { index, of: 2 } }));
    const asked = [];
    for (const share of shares) asked.push([...(await runTrial(task(), "lexical", share)).run.keys()]);
    expect(asked).toEqual([["q1", "q3"], ["q2"]]);
    // Told apart from answers given anew by what stands in the shares.
    appendFileSync(join(folder, "tiny.test.lexical.2-of-2.jsonl"), '{"query":"q3","ms":1,"found":[["marked",1]]}\n');
    expect(firsts(await runTrial(task(), "lexical", at(folder)))).toEqual(right);
  });

  test("stays within the group of its question", async () => {
    const grouped = dataset([{ sample: "a" }, { sample: "b" }, { sample: "a" }]);
    const trial = await runTrial(beirTask(grouped, cutting), "lexical", at(folderWith({})));
    // "job" stands in the documents of both groups.
    expect(trial.run.get("q1")?.map(({ id }) => id)).toEqual(["retry"]);
    expect(trial.run.get("q3")?.map(({ id }) => id)).toEqual(["sqlite"]);
  });

  test("with vectors that cannot be made is an error, not a score by words", async () => {
    const folder = folderWith({});
    const options = { ...at(folder), settings: { ...plainSettings(), "embed-profile": "nowhere" } };
    await expect(runTrial(task(), "hybrid", options)).rejects.toThrow("not every document has a vector");
  });

  test("leaves a result and a run that says the same", async () => {
    const folder = folderWith({});
    const trial = await runTrial(task(), "lexical", at(folder));
    const result = resultOf(trial, "gestalt bench tiny");
    saveResult(folder, trial, result);
    expect(readRun(join(folder, "tiny.test.lexical.run")).get("q2")?.[0]?.id).toBe("cache");
    expect(shortResult(result)).toMatchObject({
      dataset: "tiny",
      split: "test",
      system: "lexical",
      queries: 3,
      mrr: 1,
    });
    expect(Object.keys(result.code)).toContain("store");
  });
});

describe("a trial of conversations", () => {
  const talk = (id: string, words: readonly string[]): Conversation => ({
    id,
    sessions: words.map((said, i) => ({
      id: `${id}:S${i}`,
      date: "1 May",
      turns: said.split("|").map((text, j) => ({ id: `${id}:T${i}-${j}`, speaker: "Ada", text })),
    })),
    questions: [
      { id: `${id}:q0`, text: "zebra", kind: "1", unanswerable: false, turns: [`${id}:T1-1`], sessions: [`${id}:S1`] },
      { id: `${id}:q1`, text: "zebra", kind: "5", unanswerable: true, turns: [`${id}:T0-0`], sessions: [`${id}:S0`] },
    ],
  });
  const talks = ["a", "b"].map((id) => talk(id, ["the rain|the sun", "hello|a zebra came"]));

  test.each([
    ["session", ["a:S1"]],
    ["turn", ["a:T1-1"]],
    ["session_from_turns", ["a:S1"]],
  ] as const)("by %s stays inside one conversation, and leaves out what has no answer", async (level, first) => {
    const task = conversationTask("talks", talks, level, cutting);
    const trial = await runTrial(task, "lexical", at(folderWith({})));
    expect([...trial.run.keys()]).toEqual(["a:q0", "b:q0"]);
    expect(trial.run.get("a:q0")?.map(({ id }) => id)).toEqual([...first]);
    const result = resultOf(trial, "a test");
    expect(result.clusters).toEqual(["a", "b"]);
    expect(result.measures["all@1"]?.mean).toBe(1);
    expect(task.excluded).toBe(2);
  });

  test("asks what has no answer as a task of its own, over the same index", async () => {
    const folder = folderWith({});
    const [answerable, apart] = [false, true].map((no) => conversationTask("talks", talks, "turn", cutting, no));
    await runTrial(answerable!, "lexical", at(folder));
    const trial = await runTrial(apart!, "lexical", at(folder));
    expect([...trial.run.keys()]).toEqual(["a:q1", "b:q1"]);
    expect(apart!.split).toBe("turn-unanswerable");
    expect(readdirSync(join(folder, "cache")).filter((name) => name.startsWith("talks-"))).toHaveLength(1);
  });
});

test("grep counts different words first, then how often, and gives nothing where nothing stands", () => {
  const rank = grep(beirSource(dataset(), titled));
  expect(rank("a job in the cache", 10).map(({ path }) => documentId(path))).toEqual(["cache", "retry", "sqlite"]);
  expect(rank("zebra", 10)).toEqual([]);
  expect(rank("", 10)).toEqual([]);
});

test("a small data set holds what answers its questions first, and asks no question without an answer", () => {
  const small = limitDocuments(dataset(), 2);
  expect([...small.corpus.ids]).toEqual([
    ["retry", 0],
    ["cache", 1],
  ]);
  expect(small.queries.map(({ id }) => id)).toEqual(["q1", "q2"]);
  expect([...small.corpus.documents()].map(({ id, ordinal }) => [id, ordinal])).toEqual([...small.corpus.ids]);
  const [entry] = beirSource(small, titled).sweep().entries.slice(1);
  expect(documentId(entry?.path ?? "")).toBe("cache");
});
