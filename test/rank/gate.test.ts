import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { passesGate, type Signals, wordSignal } from "../../src/rank/gate.ts";

const words = (...values: number[]): Signals[] => values.map((words) => ({ words }));

test("the signal by words grows with both its parts, and is nothing where nothing is found", () => {
  expect(wordSignal(1, 9)).toBe(3);
  expect(wordSignal(0.25, 16)).toBe(1);
  expect(wordSignal(0, 9)).toBe(0);
});

describe("the gate", () => {
  test("lets through what no everyday prompt reaches, and holds back what one does", () => {
    const nulls = words(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    expect(passesGate({ words: 11 }, nulls, 1)).toBe(true);
    expect(passesGate({ words: 10 }, nulls, 1)).toBe(false);
    expect(passesGate({ words: 9.5 }, nulls, 0.9)).toBe(true);
    expect(passesGate({ words: 9 }, nulls, 0.9)).toBe(false);
  });

  test("stays shut when nothing is known of the notes, unless it is open for all", () => {
    expect(passesGate({ words: 100 }, [], 0.98)).toBe(false);
    expect(passesGate({ words: 0 }, [], 0)).toBe(true);
  });

  test("leaves the meaning out when the null has none", () => {
    expect(passesGate({ words: 4, meaning: -1 }, words(1, 2, 3), 1)).toBe(true);
  });

  /** By words and by meaning in units of itself −1, 1; by the sum −2, 2. */
  const pair = [
    { words: 0, meaning: 0 },
    { words: 2, meaning: 0.2 },
  ];

  test("lets meaning carry what words alone do not, and words what meaning alone does not", () => {
    // A third of the tail of 0.1 lies 1.834 deviations above the mean: a sum of 3.668.
    expect(passesGate({ words: 2, meaning: 0.368 }, pair, 0.9)).toBe(true);
    expect(passesGate({ words: 2, meaning: 0.365 }, pair, 0.9)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: -1 }, pair, 0.9)).toBe(true);
  });

  test("lets meaning carry nothing at the strictness that lets nothing through", () => {
    expect(passesGate({ words: 2, meaning: 1 }, pair, 1)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: 1 }, pair, 1)).toBe(true);
  });

  const signal = fc.double({ min: 0, max: 100, noNaN: true });
  const nulls = fc.array(fc.record({ words: signal, meaning: fc.double({ min: -1, max: 1, noNaN: true }) }), {
    minLength: 1,
  });

  test("never lets pass more of the null by words than the strictness says", () => {
    fc.assert(
      fc.property(nulls, fc.double({ min: 0.01, max: 1, noNaN: true }), (rows, strictness) => {
        const passed = rows.filter(({ words }) => passesGate({ words }, rows, strictness)).length;
        expect(passed).toBeLessThanOrEqual((1 - strictness) * rows.length + 1e-9);
      }),
    );
  });

  test("lets pass a third more by meaning, of a null that is normal", () => {
    const normal = (u: number, v: number) => Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
    const places = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16);
    const rows = places.flatMap((u) => places.map((v) => ({ words: normal(u, v), meaning: normal(v, u) })));
    const passed = (strictness: number) => rows.filter((row) => passesGate(row, rows, strictness)).length / rows.length;
    for (const strictness of [0.9, 0.95]) {
      expect(passed(strictness)).toBeGreaterThan(1 - strictness);
      expect(passed(strictness)).toBeLessThan((4 / 3) * (1 - strictness) + 1e-9);
    }
  });

  test("lets pass what is better in every signal than something that passes", () => {
    fc.assert(
      fc.property(
        nulls,
        signal,
        fc.double({ min: -1, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (rows, words, meaning, more) => {
          if (passesGate({ words, meaning }, rows, 0.9))
            expect(passesGate({ words: words + more, meaning: meaning + more }, rows, 0.9)).toBe(true);
        },
      ),
    );
  });

  test("does not look at the scale of the scores", () => {
    fc.assert(
      fc.property(nulls, signal, (rows, words) => {
        const bigger = rows.map((row) => ({ words: row.words * 8 }));
        const plain = rows.map((row) => ({ words: row.words }));
        expect(passesGate({ words: words * 8 }, bigger, 0.9)).toBe(passesGate({ words }, plain, 0.9));
      }),
    );
  });
});
