import type { Engine } from "../engine/open.ts";
import type { Engines } from "./engines.ts";

/** Milliseconds between two looks at the notes. */
const interval = 3_000;
/** Milliseconds of embedding before a look at who else wants something. */
const slice = 2_000;
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
 * @param options.isFree whether no question waits
 * @param options.duty share of the time that embedding may take, in (0, 1]
 * @param options.onWork called whenever texts were embedded
 */
export function startBackground(
  engines: Engines,
  options: { readonly isFree: () => boolean; readonly duty: number; readonly onWork: () => void },
): Background {
  const rested = new WeakMap<Engine, number>();
  const measured = new WeakSet<Engine>();
  let ended = false;
  let embedded = 0;
  let wake: () => void = () => {};

  async function tend(engine: Engine): Promise<void> {
    for (;;) {
      if (ended || !options.isFree() || (rested.get(engine) ?? 0) > performance.now()) return;
      const start = performance.now();
      const made = await engine.embed(slice);
      if (made.embedded > 0) options.onWork();
      embedded += made.embedded;
      if (made.failed.length > 0) rested.set(engine, performance.now() + retreat);
      if (made.pending === 0 && !measured.has(engine)) {
        measured.add(engine);
        await engine.measure({ meaning: true });
      }
      if (made.pending === 0 || made.embedded === 0) return;
      measured.delete(engine);
      await Bun.sleep((performance.now() - start) * (1 / options.duty - 1));
    }
  }

  async function run(): Promise<void> {
    while (!ended) {
      // A vault that cannot be read now, a model that is not there: its clients are told when they ask.
      for (const { engine } of engines.all())
        await tend(engine).catch(() => rested.set(engine, performance.now() + retreat / 10));
      const called = Promise.withResolvers<void>();
      wake = called.resolve;
      await Promise.race([called.promise, Bun.sleep(interval)]);
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
