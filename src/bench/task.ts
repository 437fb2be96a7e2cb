import { CryptoHasher } from "bun";
import { bodyOf } from "../notes/markdown.ts";
import { parseNote } from "../notes/parse.ts";
import { spansOf } from "../notes/passages.ts";
import type { Cutting, NoteSource } from "../notes/source.ts";
import { type Dataset, hasRelevant } from "./beir.ts";
import {
  type Conversation,
  conversationQrels,
  conversationSource,
  judgedOf,
  type Level,
  levels,
} from "./conversations.ts";
import { hashOf } from "./datasets.ts";
import type { Qrels } from "./judgements.ts";
import { beirSource, cut, documentId, titled, whole } from "./source.ts";
import type { FormName } from "./systems.ts";

export type Question = { readonly id: string; readonly text: string };

/** Questions, and what is searched for their answers and for nothing else. */
export type Part = {
  readonly name: string;
  readonly documents: number;
  readonly questions: readonly Question[];
  source(form: FormName): NoteSource;
  /** What is judged when the note of that path is found; undefined when nothing is. */
  judged(path: string): string | undefined;
};

/** A benchmark as a trial sees it, whatever its form was. */
export type Task = {
  readonly dataset: string;
  readonly split: string;
  readonly parts: readonly Part[];
  /** Of exactly the questions of the parts. */
  readonly qrels: Qrels;
  /** Judged questions left out because nothing is relevant to them. */
  readonly excluded: number;
  /** A run of minutes, never a result. */
  readonly smoke: boolean;
  /** SHA-256 of everything that is searched, asked and judged. */
  readonly hash: string;
  /** SHA-256 of what is searched: splits and levels over the same documents share an index. */
  readonly corpus: string;
};

export const documentsOf = ({ parts }: Task): number => parts.reduce((sum, { documents }) => sum + documents, 0);
export const questionsOf = ({ parts }: Task): readonly Question[] => parts.flatMap(({ questions }) => questions);

/** A data set in BEIR form; one whose queries name a group is searched group by group. */
export function beirTask(dataset: Dataset, cutting: Cutting, smoke = false): Task {
  const form = formsOf(cutting);
  const groups = Map.groupBy(dataset.queries, ({ group }) => group);
  const parts = [...groups].map(
    ([group, questions]): Part => ({
      name: group ?? "all",
      documents:
        group === undefined ? dataset.corpus.ids.size : dataset.corpus.groups.filter((g) => g === group).length,
      questions,
      source: (name) => beirSource(dataset, form[name], group),
      judged: documentId,
    }),
  );
  const { name, split, qrels, excluded, queries, corpus } = dataset;
  const searched = digest([hashOf(corpus.file), [...corpus.ids.keys()]]);
  const hash = digest([searched, queries, gradesOf(qrels)]);
  return { dataset: name, split, parts, qrels, excluded, smoke, hash, corpus: searched };
}

/**
 * Conversations at one level; each is searched by itself. Questions without evidence are left out. Those that have no
 * answer, however much the evidence looks like one, are another test, a task of its own.
 */
export function conversationTask(
  name: string,
  conversations: readonly Conversation[],
  level: Level,
  cutting: Cutting,
  unanswerable = false,
): Task {
  const qrels = conversationQrels(conversations, level);
  const split = (text: string): readonly string[] => {
    const lines = text.split("\n");
    const body = bodyOf(lines);
    return spansOf(body, 0, lines.length - 1, [], new Map(), cutting).map(({ from, to }) => body.text.slice(from, to));
  };
  const asked = conversations.map(({ questions }) =>
    questions.filter((question) => question.unanswerable === unanswerable && hasRelevant(qrels, question.id)),
  );
  const parts = conversations.map((conversation, i): Part => {
    const source = conversationSource(conversation, level, split);
    const judged = judgedOf(conversation, level);
    return {
      name: conversation.id,
      documents: source.sweep().entries.length,
      questions: asked[i] ?? [],
      source: () => source,
      judged: (path) => judged(documentId(path)),
    };
  });
  const kept = parts.filter(({ questions }) => questions.length > 0);
  const wanted = new Map(kept.flatMap(({ questions }) => questions.map(({ id }) => [id, qrels.get(id) ?? new Map()])));
  const excluded = conversations.reduce((sum, { questions }) => sum + questions.length, 0) - wanted.size;
  const hash = digest([level, conversations, gradesOf(wanted)]);
  const corpus = digest([levels[level].unit, conversations.map(({ id, sessions }) => [id, sessions])]);
  const of = conversationSplit(level, unanswerable);
  return { dataset: name, split: of, parts: kept, qrels: wanted, excluded, smoke: false, hash, corpus };
}

/** The name of a task's split: its level, and whether its questions are those without an answer. */
export const conversationSplit = (level: Level, unanswerable: boolean): string =>
  unanswerable ? `${level}-unanswerable` : level;

/** A task with some of its questions. `name` is appended to the split's. */
export function only(task: Task, name: string, keep: (query: string) => boolean): Task {
  const parts = task.parts.map((part) => ({ ...part, questions: part.questions.filter(({ id }) => keep(id)) }));
  const qrels = new Map([...task.qrels].filter(([query]) => keep(query)));
  return { ...task, split: `${task.split}-${name}`, parts, qrels, hash: digest([task.hash, [...qrels.keys()]]) };
}

/** The part of each question, where there are several: questions about one conversation rise and fall together. */
export const clustersOf = ({ parts }: Task): ReadonlyMap<string, string> | undefined =>
  parts.length < 2 ? undefined : new Map(parts.flatMap(({ name, questions }) => questions.map(({ id }) => [id, name])));

const formsOf = (cutting: Cutting) => ({
  whole,
  titled,
  cut: cut((path, bytes) => parseNote(path, bytes, cutting)),
});

const gradesOf = (qrels: Qrels) => [...qrels].map(([query, grades]) => [query, [...grades]]);

/** SHA-256 of a value as JSON, in hex. */
export const digest = (value: unknown): string =>
  new CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex");
