import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { passesGate, type Signals, wordSignal } from "../../src/rank/gate.ts";

const words = (...values: number[]): Signals[] => values.map((words) => ({ words }));

test("the signal by words grows with both its parts, and is nothing where nothing is found", () => {
  expect(wordSignal(1, 9)).toBe(3);
  expect(wordSignal(0.25, 16)).toBe(2);
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

  test("lets meaning carry what words alone do not, and words what meaning alone does not", () => {
    const nulls = [
      { words: 0, meaning: 0 },
      { words: 2, meaning: 0.2 },
    ];
    // Both have mean 1 and 0.1, deviation 1 and 0.1: the null's own scores are −1, 1 by words, −2, 2 together.
    expect(passesGate({ words: 1, meaning: 0.31 }, nulls, 1)).toBe(true);
    expect(passesGate({ words: 1, meaning: 0.29 }, nulls, 1)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: -1 }, nulls, 1)).toBe(true);
  });

  const signal = fc.double({ min: 0, max: 100, noNaN: true });
  const nulls = fc.array(fc.record({ words: signal, meaning: fc.double({ min: -1, max: 1, noNaN: true }) }), {
    minLength: 1,
  });

  test("looks at meaning with half the tail", () => {
    const nulls = Array.from({ length: 20 }, (_, i) => ({ words: 5, meaning: i / 100 }));
    // By words nothing passes. At 0.9 nineteen of twenty must be left behind.
    expect(passesGate({ words: 5, meaning: 0.19 }, nulls, 0.9)).toBe(true);
    expect(passesGate({ words: 5, meaning: 0.18 }, nulls, 0.9)).toBe(false);
  });

  test("never lets pass more of the null than the strictness says, and half as much again by meaning", () => {
    fc.assert(
      fc.property(
        nulls,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.boolean(),
        (rows, strictness, withMeaning) => {
          const asked = rows.map(({ words, meaning }) => (withMeaning ? { words, meaning } : { words }));
          const passed = asked.filter((row) => passesGate(row, rows, strictness)).length;
          expect(passed).toBeLessThanOrEqual((withMeaning ? 1.5 : 1) * (1 - strictness) * rows.length + 1e-9);
        },
      ),
    );
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
