import { unseenPrompts } from "../engine/null.ts";
import type { Engine } from "../engine/open.ts";
import type { Recalled } from "../engine/recall.ts";
import { type Null, passesGate } from "../rank/gate.ts";
import { openIndexes, withIndex } from "./indexed.ts";
import { systems } from "./systems.ts";
import type { Part, Task } from "./task.ts";
import type { TrialOptions } from "./trial.ts";

/** How the gate of hooks does at one strictness. Shares are in [0, 1]; `by` says what it could see. */
export type SilenceRow = {
  readonly by: "words" | "meaning";
  readonly strictness: number;
  /** Everyday prompts without a part in the null, and questions of other data sets, that nothing was put in for. */
  readonly everyday: number;
  readonly foreign: number;
  /** Questions that were served: of those with an answer among the first three sections, and of all. */
  readonly answered: number;
  readonly all: number;
  /** How many were asked, in the same order. */
  readonly asked: readonly [everyday: number, foreign: number, answered: number, all: number];
};

/** One prompt as the notes of one part saw it. */
type Seen = {
  readonly kind: "everyday" | "foreign" | "question";
  /** Something relevant is among the first three sections. */
  readonly found: boolean;
  readonly signals: Recalled["signals"];
  readonly nothing: Null;
};

export const strictnesses = [0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 1] as const;

/**
 * Asks the notes of a data set everyday prompts, questions of other data sets and its own, and tells at each strictness of
 * the gate how many are served. What is asked goes the way a hook's prompt goes.
 *
 * @param foreign questions that have nothing to do with the data set
 */
export async function measureSilence(
  task: Task,
  foreign: readonly string[],
  options: Pick<TrialOptions, "settings" | "models" | "cache"> & {
    readonly onProgress: (done: number, total: number) => void;
  },
): Promise<readonly SilenceRow[]> {
  const system = systems["hybrid-cut"];
  const indexes = openIndexes(options.cache, task, system, options.settings);
  const seen: Record<SilenceRow["by"], Seen[]> = { words: [], meaning: [] };
  for (const [i, part] of task.parts.entries()) {
    await withIndex(indexes, part.name, part.source(system.form), system, options, async (engine) => {
      await engine.measure({ meaning: true });
      for (const by of ["words", "meaning"] as const) seen[by].push(...(await askAll(engine, task, part, foreign, by)));
    });
    options.onProgress(i + 1, task.parts.length);
  }
  return (["words", "meaning"] as const).flatMap((by) =>
    strictnesses.map((strictness) => rowOf(by, strictness, seen[by])),
  );
}

async function askAll(
  engine: Engine,
  task: Task,
  part: Part,
  foreign: readonly string[],
  by: SilenceRow["by"],
): Promise<Seen[]> {
  const nothing = await engine.null();
  const asked: readonly (readonly [Seen["kind"], string, ReadonlyMap<string, number>])[] = [
    ...(await unseenPrompts()).map((text) => ["everyday", text, new Map()] as const),
    ...foreign.map((text) => ["foreign", text, new Map()] as const),
    ...part.questions.map(({ id, text }) => ["question", text, task.qrels.get(id) ?? new Map()] as const),
  ];
  const seen: Seen[] = [];
  for (const [kind, text, judged] of asked) {
    const answer = await engine.recall(text, { limit: 3, meaning: by === "meaning", strictness: 0, sweep: true });
    if (answer === undefined) continue;
    const found = answer.sections.some(({ path }) => (judged.get(part.judged(path) ?? "") ?? 0) > 0);
    seen.push({ kind, found, signals: answer.signals, nothing });
  }
  return seen;
}

function rowOf(by: SilenceRow["by"], strictness: number, seen: readonly Seen[]): SilenceRow {
  const share = (rows: readonly Seen[]) =>
    rows.filter(({ signals, nothing }) => passesGate(signals, nothing, strictness)).length / Math.max(1, rows.length);
  const of = (kind: Seen["kind"]) => seen.filter((row) => row.kind === kind);
  const [everyday, foreign, all] = [of("everyday"), of("foreign"), of("question")];
  const answered = all.filter(({ found }) => found);
  return {
    by,
    strictness,
    everyday: 1 - share(everyday),
    foreign: 1 - share(foreign),
    answered: share(answered),
    all: share(all),
    asked: [everyday.length, foreign.length, answered.length, all.length],
  };
}
