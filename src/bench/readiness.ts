import { existsSync, mkdirSync, statfsSync } from "node:fs";
import { type SystemName, systems } from "./systems.ts";
import { documentsOf, questionsOf, type Task } from "./task.ts";

/** Whether a run can be made, and what it takes. Seconds and bytes are guesses from rates measured on two cores. */
export type Readiness = {
  readonly dataset: string;
  readonly split: string;
  readonly system: SystemName;
  readonly documents: number;
  readonly queries: number;
  readonly seconds: number;
  readonly bytes: number;
};

/** Documents and questions a second, and bytes a document: two cores, documents of 250 tokens, see numbers in bench/results. */
const rates = { read: 1500, embed: 25, ask: 40, askWithModel: 20, rerank: 0.2, words: 8_000, vector: 2_000 } as const;

export function estimate(task: Task, name: SystemName): Readiness {
  const { vectors, rerank, mode } = systems[name];
  const documents = documentsOf(task);
  const queries = questionsOf(task).length;
  const asking = rerank ? rates.rerank : mode === "dense" || mode === "hybrid" ? rates.askWithModel : rates.ask;
  const embedding = vectors ? documents / rates.embed : 0;
  return {
    dataset: task.dataset,
    split: task.split,
    system: name,
    documents,
    queries,
    seconds: Math.ceil(documents / rates.read + embedding + queries / asking),
    bytes: documents * (rates.words + (vectors ? rates.vector : 0)),
  };
}

/** Bytes that can still be written where the folder is. */
export function freeBytes(folder: string): number {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
