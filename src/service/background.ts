import type { Engine } from "../engine/open.ts";
import type { Engines } from "./engines.ts";
import { within } from "./within.ts";

/** Milliseconds between two looks at the notes, and at who is busy when there is something to do. */
const interval = { idle: 3_000, busy: 200 };
/** Milliseconds of embedding before a rest and a look at what has changed. */
const slice = 2_000;
/** Milliseconds without a chance after which embedding takes its turn between questions too, and for how many. */
const starving = { after: 5_000, slice: 500 };
/** Milliseconds before texts that failed are tried again. */
const retreat = 600_000;

export type Background = {
  /** Looks now, not only when the time has come. */
  wake(): void;
  end(): void;
  /** Texts embedded so far. */
  embedded(): number;
};

/**
 * Keeps the vectors of all open notes up to date while nobody asks anything.
 *
 * @param options.isFree whether no question waits; and, unless starved, none has just been asked
 * @param options.duty share of the time that embedding may take, in (0, 1]
 * @param options.onWork called whenever texts were embedded
 */
export function startBackground(
  engines: Engines,
  options: { readonly isFree: (starved: boolean) => boolean; readonly duty: number; readonly onWork: () => void },
): Background {
  const rested = new WeakMap<Engine, number>();
  const tended = new WeakMap<Engine, number>();
  const measured = new WeakSet<Engine>();
  const began = performance.now();
  let ended = false;
  let embedded = 0;
  let wake: () => void = () => {};

  /** True when others were first, and there may be something left to do. */
  async function tend(engine: Engine): Promise<boolean> {
    for (;;) {
      const start = performance.now();
      const starved = start - (tended.get(engine) ?? began) > starving.after;
      const isOver = () => ended || !options.isFree(starved);
      if ((rested.get(engine) ?? 0) > start) return false;
      if (isOver()) return true;
      const made = await engine.embed({ milliseconds: starved ? starving.slice : slice, isOver });
      tended.set(engine, performance.now());
      if (made.embedded > 0) options.onWork();
      embedded += made.embedded;
      if (made.failed.length > 0) rested.set(engine, performance.now() + retreat);
      if (made.pending === 0 && !measured.has(engine)) {
        measured.add(engine);
        await engine.measure({ meaning: true });
      }
      if (made.pending === 0) return false;
      if (made.embedded === 0) return isOver();
      measured.delete(engine);
      await Bun.sleep((performance.now() - start) * (1 / options.duty - 1));
    }
  }

  async function run(): Promise<void> {
    while (!ended) {
      let soon = false;
      for (const { engine } of engines.all())
        try {
          soon = (await tend(engine)) || soon;
        } catch {
          // A vault that cannot be read now, a model that is not there: its clients are told when they ask.
          rested.set(engine, performance.now() + retreat / 10);
        }
      const called = Promise.withResolvers<void>();
      wake = called.resolve;
      await within(called.promise, soon ? interval.busy : interval.idle);
    }
  }
  void run();
  return {
    wake: () => wake(),
    embedded: () => embedded,
    end() {
      ended = true;
      wake();
    },
  };
}
