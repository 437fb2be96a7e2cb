import { expect, test } from "bun:test";
import fc from "fast-check";
import { layerNorm, poolings, unit } from "../../src/models/pooling.ts";

const tokens = Float32Array.of(1, 2, 3, 4, 8, 9);

test.each([
  ["mean", [4, 5]],
  ["cls", [1, 2]],
  ["last", [8, 9]],
] as const)("%s of three tokens, by hand", (name, expected) => {
  expect([...poolings[name](tokens, 2)]).toEqual([...expected]);
});

test("every pooling gives a single token back as it is", () => {
  for (const pool of Object.values(poolings)) expect([...pool(Float32Array.of(7, -1, 2), 3)]).toEqual([7, -1, 2]);
});

test("unit: 3, 4 becomes 0.6, 0.8, and zeros stay zeros", () => {
  expect([...unit(Float32Array.of(3, 4))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  expect([...unit(new Float32Array(3))]).toEqual([0, 0, 0]);
});

test("unit: the length is 1, whatever the vector", () => {
  const number = fc.float({ min: Math.fround(1e-3), max: Math.fround(1e6), noNaN: true });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 64 }), (values) => {
      expect(Math.hypot(...unit(Float32Array.from(values)))).toBeCloseTo(1, 5);
    }),
  );
});

test("layer norm: 1, 3 has mean 2 and variance 1, so ±1 / √1.00001", () => {
  const [low, high] = layerNorm(Float32Array.of(1, 3));
  expect(high).toBeCloseTo(0.999995, 6);
  expect(low).toBeCloseTo(-0.999995, 6);
});

test("layer norm: equal numbers become zeros", () => {
  expect([...layerNorm(Float32Array.of(5, 5, 5))]).toEqual([0, 0, 0]);
});
