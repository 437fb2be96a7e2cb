/**
 * Writes XQuAD's English part (CC BY-SA 4.0) as a folder in BEIR form: each paragraph a document under its article's title,
 * each question judged by the paragraph that it was asked of. For the gate's one report on notes that nobody had looked at.
 *
 *     bun bench/xquad.ts xquad.en.json ../xquad
 *
 * The file is that of https://github.com/google-deepmind/xquad at 7d30520c717524000f0d9d2f9c10a069acd9d285.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Question = { readonly id: string; readonly question: string };
type Paragraph = { readonly context: string; readonly qas: readonly Question[] };
type Article = { readonly title: string; readonly paragraphs: readonly Paragraph[] };

const [file, folder] = process.argv.slice(2);
if (file === undefined || folder === undefined) throw new Error("bun bench/xquad.ts xquad.en.json FOLDER");

const { data } = JSON.parse(readFileSync(file, "utf8")) as { readonly data: readonly Article[] };
const documents = data.flatMap(({ title, paragraphs }) =>
  paragraphs.map(({ context, qas }, i) => ({
    entry: { _id: `${title}#${i + 1}`, title: title.replaceAll("_", " "), text: context },
    qas,
  })),
);
const questions = documents.flatMap(({ entry, qas }) => qas.map((qa) => ({ ...qa, document: entry._id })));

mkdirSync(join(folder, "qrels"), { recursive: true });
const write = (name: string, lines: readonly string[]) => writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
write(
  "corpus.jsonl",
  documents.map(({ entry }) => JSON.stringify(entry)),
);
write(
  "queries.jsonl",
  questions.map(({ id, question }) => JSON.stringify({ _id: id, text: question.trim() })),
);
write(join("qrels", "test.tsv"), [
  "query-id\tcorpus-id\tscore",
  ...questions.map(({ id, document }) => `${id}\t${document}\t1`),
]);
