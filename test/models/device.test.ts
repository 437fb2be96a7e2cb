import { afterAll, describe, expect, test } from "bun:test";
import { candidates, place } from "../../src/models/device.ts";
import { openSession, type Provider, type Session } from "../../src/models/session.ts";
import { graphFile } from "./graphs.ts";
import type { Graph } from "./onnx.ts";
import { clearTemporary } from "./temporary.ts";

afterAll(clearTemporary);

const probe = { ids: [2, 4, 3], types: [0, 0, 0] };
const wanted = { dtype: "float32", threads: 1, output: "out" } as const;

test("int8 goes to the CPU unless a device is named; floats try the platform's devices first; the CPU is always last", () => {
  expect(candidates("auto", "int8", "darwin")).toEqual(["cpu"]);
  expect(candidates("auto", "float32", "darwin")).toEqual(["coreml", "webgpu", "cpu"]);
  expect(candidates("auto", "float16", "win32")).toEqual(["dml", "webgpu", "cpu"]);
  expect(candidates("auto", "float32", "linux")).toEqual(["cuda", "webgpu", "cpu"]);
  expect(candidates("webgpu", "int8")).toEqual(["webgpu", "cpu"]);
  expect(candidates("cpu", "float32")).toEqual(["cpu"]);
});

/** A runtime in which each provider behaves as told. */
function runtime(behaviour: Partial<Record<Provider, number | Error>>) {
  const closed: Provider[] = [];
  const open: typeof openSession = async (_, { provider }) => {
    const answer = behaviour[provider] ?? new Error("not here");
    if (answer instanceof Error) throw answer;
    const session: Session = {
      provider,
      inputs: ["input_ids"],
      outputs: ["out"],
      run: async () => ({ data: Float32Array.of(answer), dims: [1] }),
      close: async () => void closed.push(provider),
    };
    return session;
  };
  return { open, closed };
}

describe("placing a model", () => {
  test("on the device that was asked for, when it answers", async () => {
    const { session, note } = await place(
      "g",
      { ...wanted, device: "webgpu" },
      probe,
      runtime({ webgpu: 1, cpu: 1 }).open,
    );
    expect([session.provider, note]).toEqual(["webgpu", undefined]);
  });

  test("on the CPU with one line of reason, when it is not there", async () => {
    const there = runtime({ webgpu: new Error("/src/x.cc:136 f() was false. Failed to get an adapter\nat y"), cpu: 1 });
    const { session, note } = await place("g", { ...wanted, device: "webgpu" }, probe, there.open);
    expect([session.provider, note]).toEqual([
      "cpu",
      "webgpu cannot be used: Failed to get an adapter; running on cpu",
    ]);
  });

  test("on the CPU, when the device answers a real input with something that is no number, and the device is freed", async () => {
    const there = runtime({ cuda: Number.NaN, cpu: 1 });
    const { session, note } = await place("g", { ...wanted, device: "cuda" }, probe, there.open);
    expect(session.provider).toBe("cpu");
    expect(note).toContain("not finite numbers");
    expect(there.closed).toEqual(["cuda"]);
  });

  test("with nothing said, on the first that works, without a word", async () => {
    const { session, note } = await place("g", { ...wanted, device: "auto" }, probe, runtime({ cpu: 1 }).open);
    expect([session.provider, note]).toEqual(["cpu", undefined]);
  });

  test("when not even the CPU takes it, the reason is thrown", async () => {
    await expect(
      place("g", { ...wanted, device: "auto" }, probe, runtime({ cpu: new Error("no graph") }).open),
    ).rejects.toThrow("no graph");
  });
});

/** tanh(table[id] · W): a look-up, a product and a curve, which a GPU and a CPU compute each in their way. */
const product: Graph = {
  inputs: [{ name: "input_ids", type: "int64", shape: ["batch", "length"] }],
  outputs: [{ name: "out", type: "float32", shape: ["batch", "length", 16] }],
  constants: [
    { name: "table", shape: [8, 32], values: Array.from({ length: 256 }, (_, i) => Math.sin(i)) },
    { name: "weight", shape: [32, 16], values: Array.from({ length: 512 }, (_, i) => Math.cos(i) / 6) },
  ],
  nodes: [
    { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
    { op: "MatMul", inputs: ["rows", "weight"], outputs: ["sums"] },
    { op: "Tanh", inputs: ["sums"], outputs: ["out"] },
  ],
};

const gpu = await openSession(graphFile(product), { provider: "webgpu", threads: 1 }).catch((error: unknown) => {
  console.log(`skipped: no WebGPU adapter here (${String(error).slice(-120)})`);
  return undefined;
});

test.skipIf(gpu === undefined)("WebGPU agrees with the CPU to 1e-3", async () => {
  const cpu = await openSession(graphFile(product), { provider: "cpu", threads: 1 });
  const rows = [{ ids: [1, 2, 3, 7], types: [0, 0, 0, 0] }];
  const [a, b] = [await gpu!.run(rows, "out"), await cpu.run(rows, "out")];
  expect(a.dims).toEqual(b.dims);
  for (const [i, x] of a.data.entries()) expect(Math.abs(x - b.data[i]!)).toBeLessThan(1e-3);
  await gpu!.close();
  await cpu.close();
});
