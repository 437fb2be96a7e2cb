import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { lean } from "../../src/models/lean.ts";
import { openSession } from "../../src/models/session.ts";
import { vendoredGraph } from "../../src/models/vendored.ts";
import { readMessage, writeMessage } from "../../src/models/wire.ts";
import { classifier, lookUp } from "./graphs.ts";
import { onnx } from "./onnx.ts";
import { besides } from "./shared.ts";

// A model is loaded and run: slow where other work goes on.
setDefaultTimeout(60_000);

const cpu = { provider: "cpu", threads: 1 } as const;
const folder = besides("bge-small-en-v1.5-q");

test.skipIf(folder === undefined)("the first token's numbers are the published graph's, at any length", async () => {
  const [published, ours] = [
    await openSession(join(folder!, "model.onnx"), cpu),
    await openSession(vendoredGraph(), cpu),
  ];
  for (const length of [2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 64, 100, 129, 250, 257, 512]) {
    const ids = Array.from({ length }, (_, i) => 1000 + ((i * 7919) % 29_000));
    const row = { ids, types: ids.map(() => 0) };
    const { data } = await published.run([row], "last_hidden_state");
    expect(await ours.run([row], "last_hidden_state")).toEqual({ data: data.slice(0, 384), dims: [1, 1, 384] });
  }
  await published.close();
  await ours.close();
});

test("the built-in graph refuses two texts in a run", async () => {
  const session = await openSession(vendoredGraph(), cpu);
  const row = { ids: [101, 102], types: [0, 0] };
  await expect(session.run([row, row], "last_hidden_state")).rejects.toThrow("invalid dimensions");
  await session.close();
});

test("a graph of another form is not touched", () => {
  const heads = { count: 1, size: 2 };
  expect(() => lean(onnx(lookUp([[1, 2]])), heads)).toThrow("no sum has the mask in it");
  expect(() => lean(onnx(classifier([1])), heads)).toThrow("the mask goes into a");
  expect(() => lean(Uint8Array.of(1, 2, 3), heads)).toThrow("cut short");
});

test("a message that was read is written as it was", () => {
  // Field 1: 300; field 2: "ab"; field 3: four bytes; field 20: −1; field 4: eight bytes.
  const hex = "08ac02" + "12026162" + "1d01020304" + "a001ffffffffffffffffff01" + "210102030405060708";
  const bytes = Uint8Array.fromHex(hex);
  expect(readMessage(bytes).map(([number]) => number)).toEqual([1, 2, 3, 20, 4]);
  expect(readMessage(bytes)[0]?.[1]).toBe(300n);
  expect(new Uint8Array(writeMessage(readMessage(bytes))).toHex()).toBe(hex);
});
