/** How long somebody waits for one who is sometimes late, in milliseconds. */
export type Patience = {
  /** Asks with the time there is, and takes note whether the answer came in it. */
  ask<T>(question: (deadline: number) => Promise<T>, isLate: (answer: T) => boolean): Promise<T>;
};

const usual = 1_000;
const short = 100;
/** For how long it is `short` after an answer that was late; twice as long each time that `usual` was too short again. */
const wary = { least: 500, most: 60_000 };

/**
 * Patience that is lost at a late answer and comes back by itself. A process that hangs costs its clients next to nothing then; one
 * that is merely busy is waited for again. Would it come back at an answer in time alone, then of many who ask without pause some
 * would never be answered: those who have patience keep the line longer than the others wait.
 */
export function patience(now: () => number = () => performance.now()): Patience {
  let waryUntil = Number.NEGATIVE_INFINITY;
  let next = wary.least;
  return {
    async ask(question, isLate) {
      const isWary = now() < waryUntil;
      const answer = await question(isWary ? short : usual);
      if (!isLate(answer)) {
        waryUntil = Number.NEGATIVE_INFINITY;
        next = wary.least;
      } else if (!isWary) {
        waryUntil = now() + next;
        next = Math.min(2 * next, wary.most);
      }
      return answer;
    },
  };
}
