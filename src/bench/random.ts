const N = 624;
const M = 397;

/**
 * The stream of Python's `random.Random(seed).random()`, number for number: MT19937, seeded by key, 53 bits a draw.
 *
 * Published intervals and p-values can be reproduced only by drawing as their authors drew.
 *
 * @param seed a whole number from 0 to 2^53 - 1
 * @returns draws from [0, 1), in Python's order
 * @see Matsumoto & Nishimura, TOMACS 1998, doi:10.1145/272991.272995 (`genrand_res53`, `init_by_array`)
 */
export function pythonRandom(seed: number): () => number {
  const state = seeded(seed);
  let at = N;
  const next = (): number => {
    if (at === N) {
      twist(state);
      at = 0;
    }
    return temper(state[at++]!);
  };
  return () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992;
}

/** An index below `n`, as Python's `choices` draws each of its items. */
export const drawIndex = (random: () => number, n: number): number => Math.floor(random() * n);

/** CPython cuts an integer seed into words of 32 bits, lowest first, and gives them to `init_by_array`. */
function seeded(seed: number): Uint32Array {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`seed ${seed} is not a whole number of 0 or more`);
  const high = Math.floor(seed / 2 ** 32);
  const key = high === 0 ? [seed] : [seed % 2 ** 32, high];

  const state = new Uint32Array(N);
  state[0] = 19_650_218;
  for (let i = 1; i < N; i++) state[i] = Math.imul(1_812_433_253, mixed(state[i - 1]!)) + i;

  let i = 1;
  const wrap = (): void => {
    i += 1;
    if (i < N) return;
    state[0] = state[N - 1]!;
    i = 1;
  };
  for (let k = 0; k < N; k++) {
    const j = k % key.length;
    state[i] = (state[i]! ^ Math.imul(mixed(state[i - 1]!), 1_664_525)) + key[j]! + j;
    wrap();
  }
  for (let k = 1; k < N; k++) {
    state[i] = (state[i]! ^ Math.imul(mixed(state[i - 1]!), 1_566_083_941)) - i;
    wrap();
  }
  state[0] = 0x80000000;
  return state;
}

const mixed = (word: number): number => word ^ (word >>> 30);

function twist(state: Uint32Array): void {
  for (let i = 0; i < N; i++) {
    const word = (state[i]! & 0x80000000) | (state[(i + 1) % N]! & 0x7fffffff);
    state[i] = state[(i + M) % N]! ^ (word >>> 1) ^ (word & 1 ? 0x9908b0df : 0);
  }
}

function temper(word: number): number {
  let y = word;
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >>> 18);
}
