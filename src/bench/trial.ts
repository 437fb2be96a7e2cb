import { join } from "node:path";
import type { RankedAnswer } from "../engine/search.ts";
import { GestaltError } from "../errors.ts";
import { codeHashes } from "./code.ts";
import { type Cost, costOf, peakBytes, resetPeak } from "./cost.ts";
import { grep } from "./grep.ts";
import { type Indexes, type Opening, openIndexes, withIndex } from "./indexed.ts";
import { type Answered, type Fingerprint, type Journal, openJournal } from "./journal.ts";
import type { Run } from "./judgements.ts";
import { type System, type SystemName, systems } from "./systems.ts";
import { digest, type Part, questionsOf, type Task } from "./task.ts";

/** Every `of`-th question, from the `index`-th on; both from 1. */
export type Shard = { readonly index: number; readonly of: number };

export type TrialOptions = Omit<Opening, "onProgress"> & {
  /** Folder of indexes, kept between runs. */
  readonly cache: string;
  /** Folder of journals. */
  readonly out: string;
  /** Asks a share of the questions. A run without it, in the same folder, takes the answers of all shares in. */
  readonly shard?: Shard | undefined;
  readonly onProgress?: (stage: "reading" | "asking", done: number, total: number) => void;
};

/** The answers of one system to the questions of one task, and what they cost. */
export type Trial = {
  readonly task: Task;
  readonly system: SystemName;
  readonly fingerprint: Fingerprint;
  readonly run: Run;
  /** The second reader's own score of each question's first answer, where there was one. */
  readonly sure: ReadonlyMap<string, number>;
  readonly cost: Cost;
};

type Found = readonly { readonly path: string; readonly score: number }[];
type Rank = (question: string) => Promise<{ readonly ranking: Found; readonly sure?: number | undefined }>;

/** Documents that are kept of an answer, and so the depth to which recall can be told. */
const DEPTH = 100;
/** Sections that are asked for where several may be of one document. */
const CUT_DEPTH = 300;

/** Milliseconds for a second reading: people do not wait so long, a trial does. */
const PATIENCE = 600_000;

/** Settings that change when a run answers, never what. */
const idle: ReadonlySet<string> = new Set(["sweep-ms", "wait", "rerank-ms", "abstain", "abstain-min", "calib"]);

/** All that the answers depend on. */
export function fingerprintOf(task: Task, name: SystemName, settings: TrialOptions["settings"]): Fingerprint {
  const values = Object.entries(settings).filter(([knob]) => !idle.has(knob));
  return {
    data: task.hash,
    system: digest([name, systems[name]]),
    settings: digest(values.sort(([a], [b]) => (a < b ? -1 : 1))),
    code: digest(codeHashes),
  };
}

/**
 * Asks a system every question of a task, through the engine that people use. A run that was killed goes on where it
 * stopped: the index after its last batch, the questions after the last answer.
 *
 * @throws GestaltError("usage") when the journal in `out` is of another configuration, "model-missing" when the system
 *   cannot answer as what it is: it never answers as something less
 */
export async function runTrial(task: Task, name: SystemName, options: TrialOptions): Promise<Trial> {
  const system: System = systems[name];
  const fingerprint = fingerprintOf(task, name, options.settings);
  const wanted = new Set(shareOf(questionsOf(task), options.shard).map(({ id }) => id));
  const journal = openJournals(task, name, fingerprint, options);
  const indexes = openIndexes(options.cache, task, system, options.settings);
  resetPeak();
  for (const part of task.parts) {
    const left = part.questions.filter(({ id }) => wanted.has(id) && !journal.answered.has(id));
    const [first] = left;
    if (first === undefined) continue;
    await withRank(part, system, indexes, options, journal, async (rank) => {
      // It loads what the others find loaded.
      await rank(first.text);
      for (const { id, text } of left) {
        const start = performance.now();
        const { ranking, sure } = await rank(text);
        journal.add({ query: id, ms: performance.now() - start, found: byDocument(part, ranking), sure });
        options.onProgress?.("asking", [...wanted].filter((each) => journal.answered.has(each)).length, wanted.size);
      }
    });
    journal.note({ peakBytes: Math.max(peakBytes(), Number(journal.notes["peakBytes"] ?? 0)) });
  }
  const answers = [...wanted].flatMap((id) => journal.answered.get(id) ?? []);
  const run = new Map(answers.map(({ query, found }) => [query, found]));
  return {
    task,
    system: name,
    fingerprint,
    run,
    sure: new Map(answers.flatMap(({ query, sure }) => (sure === undefined ? [] : [[query, sure] as const]))),
    cost: costOf({ task, system, indexes, journal, answers, ...options }),
  };
}

const shareOf = <T>(all: readonly T[], shard: Shard | undefined): readonly T[] =>
  shard === undefined ? all : all.filter((_, i) => i % shard.of === shard.index - 1);

/** The name of a trial's files, without an ending. */
export const trialName = ({ dataset, split }: Pick<Task, "dataset" | "split">, system: string): string =>
  [dataset, split, system].map((part) => part.replace(/[^\w-]+/g, "-")).join(".");

/** The journal of this share, with the answers that others left in the folder when all are wanted. */
function openJournals(task: Task, name: SystemName, fingerprint: Fingerprint, { out, shard }: TrialOptions): Journal {
  const stem = join(out, trialName(task, name));
  const journal = openJournal(
    `${stem}${shard === undefined ? "" : `.${shard.index}-of-${shard.of}`}.jsonl`,
    fingerprint,
  );
  if (shard === undefined)
    for (const path of new Bun.Glob(`${trialName(task, name)}.*-of-*.jsonl`).scanSync({ cwd: out, absolute: true }))
      for (const answer of openJournal(path, fingerprint).answered.values())
        if (!journal.answered.has(answer.query)) journal.add(answer);
  return journal;
}

async function withRank(
  part: Part,
  system: System,
  indexes: Indexes,
  options: TrialOptions,
  journal: Journal,
  use: (rank: Rank) => Promise<void>,
): Promise<void> {
  const source = part.source(system.form);
  const { mode } = system;
  if (mode === "grep") {
    const rank = grep(source);
    return await use(async (question) => ({ ranking: rank(question, DEPTH) }));
  }
  const { settings, models, onProgress } = options;
  const opening = {
    settings: { ...settings, rerank: system.rerank ? "on" : "off", "rerank-ms": PATIENCE } as const,
    models,
    onProgress: (done: number, total: number) => onProgress?.("reading", done, total),
  };
  await withIndex(indexes, part.name, source, system, opening, async (engine) => {
    const limit = system.form === "cut" ? CUT_DEPTH : DEPTH;
    await use(async (question) => {
      const answer = await engine.rank(question, { mode, limit });
      refuseLess(answer, system);
      const { embedder, reread } = answer;
      if (embedder !== undefined && journal.notes["embedder"] === undefined)
        journal.note({ embedder: embedder.profile, device: embedder.device, reranker: reread?.model });
      return answer;
    });
  });
}

function refuseLess({ mode, reread }: RankedAnswer, system: System): void {
  const problem =
    mode !== system.mode
      ? `${system.mode} was asked for, and ${mode} answered`
      : system.rerank && (reread === undefined || (reread.fallback !== undefined && !few(reread.fallback)))
        ? `the second reading did not come about: ${reread?.fallback ?? "nobody asked for it"}`
        : undefined;
  if (problem !== undefined) throw new GestaltError("model-missing", problem, "gestalt doctor");
}

/** Fewer than two documents have but one order. */
const few = (fallback: string): boolean => fallback.startsWith("too-few");

/** The best of each document's sections, as the judgements name documents. */
function byDocument(part: Part, found: Found): Answered["found"] {
  const scores = new Map<string, number>();
  for (const { path, score } of found) {
    const id = part.judged(path);
    if (id !== undefined && !scores.has(id)) scores.set(id, score);
  }
  return [...scores].slice(0, DEPTH).map(([id, score]) => ({ id, score }));
}
