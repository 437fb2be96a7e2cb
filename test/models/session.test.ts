import { afterAll, expect, test } from "bun:test";
import { openSession, providersAtHand } from "../../src/models/session.ts";
import { classifier, graphFile, lookUp } from "./graphs.ts";
import type { Graph, Port } from "./onnx.ts";
import { clearTemporary } from "./temporary.ts";

afterAll(clearTemporary);

const cpu = { provider: "cpu", threads: 1 } as const;
const row = (...ids: number[]) => ({ ids, types: ids.map(() => 0) });

test("a graph gives what its table says", async () => {
  const session = await openSession(
    graphFile(
      lookUp([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    ),
    cpu,
  );
  const { data, dims } = await session.run([row(2, 0)], "last_hidden_state");
  expect(dims).toEqual([1, 2, 2]);
  expect([...data]).toEqual([5, 6, 1, 2]);
  await session.close();
});

test("rows of unequal length are padded with masked tokens on the side asked for", async () => {
  const session = await openSession(graphFile(classifier([100, 1, 10])), cpu);
  for (const side of ["left", "right"] as const) {
    const { data } = await session.run([row(1), row(1, 2, 2)], "logits", side);
    expect([...data]).toEqual([1, 21]);
  }
  await session.close();
});

test("segment numbers reach the graph", async () => {
  const session = await openSession(graphFile(classifier([0, 1, 10])), cpu);
  expect([...(await session.run([{ ids: [1, 2], types: [0, 1] }], "logits")).data]).toEqual([21]);
  await session.close();
});

/** Position × 10 + cached tokens, to see what stands in inputs that encoders do not have. */
const decoder = (cache: "float32" | "float16", extra: readonly Port[] = []): Graph => ({
  inputs: [
    { name: "input_ids", type: "int64", shape: ["batch", "length"] },
    { name: "position_ids", type: "int64", shape: ["batch", "length"] },
    { name: "past_key_values.0.key", type: cache, shape: ["batch", 2, "past", 4] },
    ...extra,
  ],
  outputs: [{ name: "out", type: "float32", shape: ["batch", "length"] }],
  constants: [
    { name: "two", shape: [1], values: [2], type: "int64" },
    { name: "ten", shape: [1], values: [10], type: "int64" },
  ],
  nodes: [
    { op: "Shape", inputs: ["past_key_values.0.key"], outputs: ["shape"] },
    { op: "Gather", inputs: ["shape", "two"], outputs: ["past"] },
    { op: "Mul", inputs: ["position_ids", "ten"], outputs: ["tens"] },
    { op: "Add", inputs: ["tens", "past"], outputs: ["sum"] },
    { op: "Cast", inputs: ["sum"], outputs: ["out"], attributes: { to: 1 } },
  ],
});

test.each(["float32", "float16"] as const)(
  "a decoder gets positions that start at each text, and empty %s caches",
  async (cache) => {
    const session = await openSession(graphFile(decoder(cache)), cpu);
    const { data } = await session.run([row(5), row(5, 6, 7)], "out", "left");
    expect([...data]).toEqual([0, 0, 0, 0, 10, 20]);
    await session.close();
  },
);

test("half-precision answers arrive as the numbers they are", async () => {
  const graph: Graph = {
    inputs: [{ name: "input_ids", type: "int64", shape: ["batch", "length"] }],
    outputs: [{ name: "out", type: "float16", shape: ["batch", "length"] }],
    constants: [],
    nodes: [{ op: "Cast", inputs: ["input_ids"], outputs: ["out"], attributes: { to: 10 } }],
  };
  const session = await openSession(graphFile(graph), cpu);
  expect([...(await session.run([row(3, 0, 2049)], "out")).data]).toEqual([3, 0, 2048]);
  await session.close();
});

test("an input that nobody knows is named", async () => {
  const stranger: Port = { name: "pixel_values", type: "float32", shape: ["batch", 3] };
  const session = await openSession(graphFile(decoder("float32", [stranger])), cpu);
  await expect(session.run([row(1)], "out")).rejects.toThrow("pixel_values");
  await session.close();
});

test("an output that is not there is named beside those that are", async () => {
  const session = await openSession(graphFile(lookUp([[1]])), cpu);
  await expect(session.run([row(0)], "logits")).rejects.toThrow(/logits.*last_hidden_state/);
  await session.close();
});

test("a closed session says so, and closing twice is harmless", async () => {
  const session = await openSession(graphFile(lookUp([[1]])), cpu);
  await session.close();
  await session.close();
  await expect(session.run([row(0)], "last_hidden_state")).rejects.toThrow("closed");
});

test("a file that is no graph, and one that is not there, throw", async () => {
  await expect(openSession(import.meta.path, cpu)).rejects.toThrow();
  await expect(openSession("/no/such/model.onnx", cpu)).rejects.toThrow();
});

test("the runtime at hand has the CPU", async () => {
  expect(await providersAtHand()).toContain("cpu");
});
