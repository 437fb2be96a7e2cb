import { expect, test } from "bun:test";
import { join } from "node:path";
import { $ } from "bun";
import { loadBeir } from "../../src/bench/beir.ts";
import { fileWith } from "./files.ts";

const script = join(import.meta.dir, "..", "..", "bench", "xquad.ts");

test("XQuAD becomes a data set: a document for each paragraph, judged by the questions asked of it", async () => {
  const qas = (...ids: string[]) => ids.map((id) => ({ id, question: ` Who is ${id}? `, answers: [] }));
  const paragraphs = [
    { context: "One.", qas: qas("a", "b") },
    { context: "Two.", qas: qas("c") },
  ];
  const file = fileWith(JSON.stringify({ data: [{ title: "Two_Words", paragraphs }] }));
  const folder = `${file}.beir`;
  await $`${process.execPath} ${script} ${file} ${folder}`.quiet();
  const { corpus, queries, qrels } = loadBeir(folder, "test");
  expect([...corpus.ids.keys()]).toEqual(["Two_Words#1", "Two_Words#2"]);
  expect(queries.map(({ text }) => text)).toEqual(["Who is a?", "Who is b?", "Who is c?"]);
  expect(qrels.get("c")).toEqual(new Map([["Two_Words#2", 1]]));
});
