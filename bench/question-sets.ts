/**
 * Writes a public set of questions as a folder in BEIR form: each paragraph a document under its article's title, each question judged
 * by the paragraphs that answer it. The gate of hooks is measured on them, with `gestalt bench silence`.
 *
 *     bun bench/question-sets.ts xquad xquad.en.json ../xquad
 *     bun bench/question-sets.ts timeqa human_annotated_test.json ../timeqa
 *     bun bench/question-sets.ts pubmedqa ori_pqal.json ../pubmedqa
 *
 * xquad: https://github.com/google-deepmind/xquad at 7d30520c717524000f0d9d2f9c10a069acd9d285 (CC BY-SA 4.0).
 * timeqa: https://github.com/wenhuchen/Time-Sensitive-QA at 38b05989070c1168b2bef3d5a2656afeeba763dc (BSD 3-Clause); questions without
 * an answer, and paragraphs of less than 80 characters, which are headings and list items, are left out.
 * pubmedqa: https://github.com/pubmedqa/pubmedqa at 1cbae8e92f72f20c8d3747cbb3bf5bc53554d997 (MIT); an abstract without its conclusion is a
 * document, and its own title the question.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Document = { readonly _id: string; readonly title: string; readonly text: string };
type Question = { readonly _id: string; readonly text: string; readonly answers: readonly string[] };
type QuestionSet = { readonly documents: readonly Document[]; readonly questions: readonly Question[] };

function xquad(json: unknown): QuestionSet {
  type Paragraph = {
    readonly context: string;
    readonly qas: readonly { readonly id: string; readonly question: string }[];
  };
  const { data } = json as { readonly data: readonly { readonly title: string; readonly paragraphs: Paragraph[] }[] };
  const found = data.flatMap(({ title, paragraphs }) =>
    paragraphs.map(({ context, qas }, i) => ({
      document: { _id: `${title}#${i + 1}`, title: title.replaceAll("_", " "), text: context },
      qas,
    })),
  );
  return {
    documents: found.map(({ document }) => document),
    questions: found.flatMap(({ document, qas }) =>
      qas.map(({ id, question }) => ({ _id: id, text: question.trim(), answers: [document._id] })),
    ),
  };
}

/** The shortest paragraph that is a document, in characters. */
const shortest = 80;

function timeqa(json: unknown): QuestionSet {
  type Article = {
    readonly link: string;
    readonly paras: readonly string[];
    readonly questions: readonly (readonly [string, readonly { readonly para: number; readonly answer: string }[]])[];
  };
  const articles = json as readonly Article[];
  const byLink = new Map(articles.map((article) => [article.link, article]));
  const idOf = (link: string, para: number): string => `${link.replace("/wiki/", "")}#${para}`;
  const documents = [...byLink.values()].flatMap(({ link, paras }) =>
    paras.flatMap((text, i) =>
      text.length < shortest ? [] : [{ _id: idOf(link, i), title: (paras[0] ?? "").trim(), text }],
    ),
  );
  const ids = new Set(documents.map(({ _id }) => _id));
  const questions = articles.flatMap(({ link, questions }, article) =>
    questions.map(([text, answers], i) => ({
      _id: `${article}-${i}`,
      text,
      answers: [...new Set(answers.filter(({ answer }) => answer !== "").map(({ para }) => idOf(link, para)))].filter(
        (id) => ids.has(id),
      ),
    })),
  );
  return { documents, questions: questions.filter(({ answers }) => answers.length > 0) };
}

function pubmedqa(json: unknown): QuestionSet {
  const articles = Object.entries(json as Record<string, { readonly QUESTION: string; readonly CONTEXTS: string[] }>);
  return {
    documents: articles.map(([_id, { CONTEXTS }]) => ({ _id, title: "", text: CONTEXTS.join("\n\n") })),
    questions: articles.map(([_id, { QUESTION }]) => ({ _id, text: QUESTION, answers: [_id] })),
  };
}

const sets: Readonly<Record<string, (json: unknown) => QuestionSet>> = { xquad, timeqa, pubmedqa };

const [name = "", file, folder] = process.argv.slice(2);
const read = sets[name];
if (read === undefined || file === undefined || folder === undefined)
  throw new Error(`bun bench/question-sets.ts ${Object.keys(sets).join("|")} FILE FOLDER`);
const { documents, questions } = read(JSON.parse(readFileSync(file, "utf8")));

mkdirSync(join(folder, "qrels"), { recursive: true });
const write = (path: string, lines: readonly string[]) => writeFileSync(join(folder, path), `${lines.join("\n")}\n`);
write(
  "corpus.jsonl",
  documents.map((document) => JSON.stringify(document)),
);
write(
  "queries.jsonl",
  questions.map(({ _id, text }) => JSON.stringify({ _id, text })),
);
write(join("qrels", "test.tsv"), [
  "query-id\tcorpus-id\tscore",
  ...questions.flatMap(({ _id, answers }) => answers.map((id) => `${_id}\t${id}\t1`)),
]);
