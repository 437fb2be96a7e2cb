import type { Pooling } from "./profile.ts";

/** One vector from the token vectors of a text, laid end to end, `width` numbers each; no padding among them, at least one token. */
export type Pool = (tokens: Float32Array, width: number) => Float32Array;

/** Every way to pool. */
export const poolings: { readonly [Name in Pooling]: Pool } = {
  mean(tokens, width) {
    const sum = new Float64Array(width);
    for (let start = 0; start < tokens.length; start += width)
      for (let i = 0; i < width; i++) sum[i]! += tokens[start + i]!;
    const count = tokens.length / width;
    return Float32Array.from(sum, (value) => value / count);
  },
  cls: (tokens, width) => tokens.slice(0, width),
  last: (tokens, width) => tokens.slice(tokens.length - width),
};

/** The vector at length 1; zeros stay zeros. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return length === 0 ? vector : vector.map((x) => x / length);
}

/** Mean 0 and variance 1 over the vector, without scale and shift: (x − mean) / √(variance + 1e-5), variance over n. */
export function layerNorm(vector: Float32Array): Float32Array {
  const mean = vector.reduce((sum, x) => sum + x, 0) / vector.length;
  const variance = vector.reduce((sum, x) => sum + (x - mean) ** 2, 0) / vector.length;
  return vector.map((x) => (x - mean) / Math.sqrt(variance + 1e-5));
}
