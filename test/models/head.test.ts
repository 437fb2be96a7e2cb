import { expect, test } from "bun:test";
import { project, readHead } from "../../src/models/head.ts";
import { safetensors } from "./safetensors.ts";

const weight = { shape: [3, 2], values: [1, 2, 3, 4, 5, 6] };
const bias = { shape: [3], values: [0.5, 0, -1] };

test("W·x + b, by hand", () => {
  const head = readHead(safetensors({ "linear.bias": bias, "linear.weight": weight }));
  expect([...project(head, Float32Array.of(10, 1))]).toEqual([12.5, 34, 55]);
});

test("a head without bias adds nothing", () => {
  expect([...project(readHead(safetensors({ "linear.weight": weight })), Float32Array.of(1, 0))]).toEqual([1, 3, 5]);
});

test("a vector of another width is refused", () => {
  const head = readHead(safetensors({ "linear.weight": weight, "linear.bias": bias }));
  expect(() => project(head, Float32Array.of(1, 2, 3))).toThrow("takes 2 numbers, not 3");
});

const whole = safetensors({ "linear.weight": weight });

test.each([
  ["nothing", new Uint8Array()],
  ["a length beyond the file", Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255)],
  ["no JSON", Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 120, 120)],
  ["no tensor", safetensors({})],
  ["a tensor cut short", whole.subarray(0, whole.length - 4)],
  ["a file cut in its header", whole.subarray(0, 20)],
])("%s is not a head", (_, bytes) => {
  expect(() => readHead(bytes)).toThrow();
});
