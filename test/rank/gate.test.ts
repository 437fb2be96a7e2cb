import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Null, passesGate, type Signals, wordSignal } from "../../src/rank/gate.ts";

const everyday = (rows: readonly Signals[], elsewhere: readonly Signals[] = []): Null => ({
  everyday: rows,
  elsewhere,
});
const words = (...values: number[]): Null => everyday(values.map((words) => ({ words })));

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
    expect(passesGate({ words: 100 }, words(), 0.98)).toBe(false);
    expect(passesGate({ words: 0 }, words(), 0)).toBe(true);
  });

  test("leaves the meaning out when the null has none", () => {
    expect(passesGate({ words: 4, meaning: -1 }, words(1, 2, 3), 1)).toBe(true);
  });

  /** By words and by meaning in units of itself −1, 1; by the sum −2, 2. */
  const rows = [
    { words: 0, meaning: 0 },
    { words: 2, meaning: 0.2 },
  ];
  const pair = everyday(rows);

  test("lets meaning carry what words alone do not, and words what meaning alone does not", () => {
    // Six tenths of the tail of 0.1 lie 1.555 deviations above the mean: a sum of 3.11.
    expect(passesGate({ words: 2, meaning: 0.312 }, pair, 0.9)).toBe(true);
    expect(passesGate({ words: 2, meaning: 0.31 }, pair, 0.9)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: -1 }, pair, 0.9)).toBe(true);
  });

  test("asks as much more as the middle one of other subjects' questions lies above everyday talk, and never less", () => {
    // By the sum 1, 2 and 20: half a deviation, one and ten.
    const nearer = [0.2, 0.3, 2.1].map((meaning) => ({ words: 1, meaning }));
    const passes = (meaning: number, elsewhere: readonly Signals[]) =>
      passesGate({ words: 2, meaning }, everyday(rows, elsewhere), 0.9);
    expect(passes(0.512, nearer)).toBe(true);
    expect(passes(0.51, nearer)).toBe(false);
    const farther = [{ words: 0, meaning: -0.1 }];
    expect(passes(0.312, farther)).toBe(true);
    expect(passes(0.31, farther)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: -1 }, everyday(rows, nearer), 0.9)).toBe(true);
  });

  test("lets meaning carry nothing at the strictness that lets nothing through", () => {
    expect(passesGate({ words: 2, meaning: 1 }, pair, 1)).toBe(false);
    expect(passesGate({ words: 2.1, meaning: 1 }, pair, 1)).toBe(true);
  });

  const signal = fc.double({ min: 0, max: 100, noNaN: true });
  const everydayRows = fc.array(fc.record({ words: signal, meaning: fc.double({ min: -1, max: 1, noNaN: true }) }), {
    minLength: 1,
  });

  test("never lets pass more of the null by words than the strictness says", () => {
    fc.assert(
      fc.property(everydayRows, fc.double({ min: 0.01, max: 1, noNaN: true }), (rows, strictness) => {
        const passed = rows.filter(({ words }) => passesGate({ words }, everyday(rows), strictness)).length;
        expect(passed).toBeLessThanOrEqual((1 - strictness) * rows.length + 1e-9);
      }),
    );
  });

  test("lets pass six tenths more at most by meaning, of a null that is normal", () => {
    const normal = (u: number, v: number) => Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
    const places = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16);
    const rows = places.flatMap((u) => places.map((v) => ({ words: normal(u, v), meaning: normal(v, u) })));
    const passed = (strictness: number) =>
      rows.filter((row) => passesGate(row, everyday(rows), strictness)).length / rows.length;
    for (const strictness of [0.9, 0.95]) {
      expect(passed(strictness)).toBeGreaterThan(1 - strictness);
      expect(passed(strictness)).toBeLessThan(1.6 * (1 - strictness) + 1e-9);
    }
  });

  test("lets pass what is better in every signal than something that passes", () => {
    fc.assert(
      fc.property(
        everydayRows,
        signal,
        fc.double({ min: -1, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (rows, words, meaning, more) => {
          if (passesGate({ words, meaning }, everyday(rows), 0.9))
            expect(passesGate({ words: words + more, meaning: meaning + more }, everyday(rows), 0.9)).toBe(true);
        },
      ),
    );
  });

  test("does not look at the scale of the scores", () => {
    fc.assert(
      fc.property(everydayRows, signal, (rows, words) => {
        const bigger = rows.map((row) => ({ words: row.words * 8 }));
        const plain = rows.map((row) => ({ words: row.words }));
        expect(passesGate({ words: words * 8 }, everyday(bigger), 0.9)).toBe(
          passesGate({ words }, everyday(plain), 0.9),
        );
      }),
    );
  });
});
