import { expect, test } from "bun:test";
import { join } from "node:path";
import { $ } from "bun";
import { loadBeir } from "../../src/bench/beir.ts";
import { fileWith } from "./files.ts";

const script = join(import.meta.dir, "..", "..", "bench", "question-sets.ts");

async function loaded(name: string, json: unknown) {
  const file = fileWith(JSON.stringify(json));
  const folder = `${file}.beir`;
  await $`${process.execPath} ${script} ${name} ${file} ${folder}`.quiet();
  return loadBeir(folder, "test");
}

test("XQuAD becomes a data set: a document for each paragraph, judged by the questions asked of it", async () => {
  const qas = (...ids: string[]) => ids.map((id) => ({ id, question: ` Who is ${id}? `, answers: [] }));
  const paragraphs = [
    { context: "One.", qas: qas("a", "b") },
    { context: "Two.", qas: qas("c") },
  ];
  const { corpus, queries, qrels } = await loaded("xquad", { data: [{ title: "Two_Words", paragraphs }] });
  expect([...corpus.ids.keys()]).toEqual(["Two_Words#1", "Two_Words#2"]);
  expect(queries.map(({ text }) => text)).toEqual(["Who is a?", "Who is b?", "Who is c?"]);
  expect(qrels.get("c")).toEqual(new Map([["Two_Words#2", 1]]));
});

test("TimeQA becomes one: each article once, without headings, and without questions that nothing answers", async () => {
  const long = (word: string) => `${word} `.repeat(40);
  const paras = ["Ada Lovelace", long("early"), "Work .", long("late")];
  const asked = (text: string, ...answers: [para: number, answer: string][]) =>
    [text, answers.map(([para, answer]) => ({ para, answer }))] as const;
  const article = { link: "/wiki/Ada", paras };
  const { corpus, queries, qrels } = await loaded("timeqa", [
    { ...article, questions: [asked("When?", [1, "early"]), asked("Never?", [0, ""]), asked("Work?", [2, "Work"])] },
    { ...article, questions: [asked("Both?", [3, "late"], [1, "early"], [3, "late"])] },
  ]);
  expect([...corpus.ids.keys()]).toEqual(["Ada#1", "Ada#3"]);
  expect(queries.map(({ text }) => text)).toEqual(["When?", "Both?"]);
  expect(qrels.get("1-0")).toEqual(
    new Map([
      ["Ada#3", 1],
      ["Ada#1", 1],
    ]),
  );
});

test("PubMedQA becomes one: an abstract is a document, asked for by its own title", async () => {
  const { corpus, queries, qrels } = await loaded("pubmedqa", {
    17: { QUESTION: "Does it help?", CONTEXTS: ["We asked.", "It did."] },
  });
  expect([...corpus.ids.keys()]).toEqual(["17"]);
  expect(queries).toMatchObject([{ id: "17", text: "Does it help?" }]);
  expect(qrels.get("17")).toEqual(new Map([["17", 1]]));
});
