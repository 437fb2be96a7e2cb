import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findModel } from "../../src/models/catalogue.ts";
import { type Embedded, embedderOf, openEmbedder } from "../../src/models/embed.ts";
import { importModel } from "../../src/models/installed.ts";
import { openSession } from "../../src/models/session.ts";
import { madePlan } from "./made.ts";
import { safetensors } from "./safetensors.ts";
import { besides, cosine, goldenOf } from "./shared.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

// A model is loaded and run: slow where other work goes on.
setDefaultTimeout(60_000);

const cpu = { device: "cpu", threads: 1 } as const;
const nowhere = temporary();
const options = { models: nowhere, textFormat: 1 };

async function vectorOf(plan: ReturnType<typeof madePlan>, text: string): Promise<number[]> {
  const embedder = embedderOf(plan, cpu);
  const vector = await embedder.embedQuery(text);
  await embedder.close();
  return [...vector];
}

const vectorsOf = async (made: AsyncIterable<Embedded>): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  for await (const each of made) {
    if ("failure" in each) throw new Error(each.failure);
    vectors[each.index] = each.vector;
  }
  return vectors;
};

// The text "a b" is [CLS] a b [SEP]: 1 0 0 1, 3 0 4 0, 0 6 0 2, 0 2 0 0.
describe("what a row of the table may name, by hand", () => {
  test.each([
    ["mean", [1, 2, 1, 0.75]],
    ["cls", [1, 0, 0, 1]],
    ["last", [0, 2, 0, 0]],
  ] as const)("pooling %s", async (pooling, expected) => {
    expect(await vectorOf(madePlan({ pooling }), "a b")).toEqual([...expected]);
  });

  test("the query prefix stands before the text, word for word", async () => {
    const prefix = { query: "c ", passage: "d " };
    // [CLS] c a b [SEP]
    expect(await vectorOf(madePlan({ prefix }), "a b")).toEqual([1, 9 / 5, 1, 4 / 5].map(Math.fround));
  });

  test("the passage prefix stands before passages", async () => {
    const embedder = embedderOf(madePlan({ prefix: { query: "c ", passage: "d " } }), cpu);
    // [CLS] d a b [SEP]
    expect([...(await vectorsOf(embedder.embedPassages(["a b"])))[0]!]).toEqual(
      [6 / 5, 8 / 5, 4 / 5, 3 / 5].map(Math.fround),
    );
    await embedder.close();
  });

  test("normalisation: 3, 0, 4, 0 becomes 0.6, 0, 0.8, 0", async () => {
    expect(await vectorOf(madePlan({}, { normalise: true, special: false }), "a")).toEqual(
      [0.6, 0, 0.8, 0].map(Math.fround),
    );
  });

  test("a head of two rows makes two numbers", async () => {
    const head = safetensors({
      "linear.weight": { shape: [2, 4], values: [1, 1, 1, 1, 0, 0, 2, 0] },
      "linear.bias": { shape: [2], values: [0.5, -8] },
    });
    expect(await vectorOf(madePlan({ dims: 2 }, { head, special: false }), "a")).toEqual([7.5, 0]);
  });

  test("a narrower width is the first numbers, at length 1", async () => {
    const narrowing = { widths: { from: 2 }, layerNorm: false };
    // mean of a and c: 2, 0.5, 2.5, 0.5
    const length = Math.hypot(2, 0.5, 2.5);
    const vector = await vectorOf(madePlan({ narrowing }, { width: 3, normalise: true, special: false }), "a c");
    expect(vector).toHaveLength(3);
    for (const [i, x] of [2, 0.5, 2.5].entries()) expect(vector[i]).toBeCloseTo(x / length, 6);
  });

  test("nomic's narrower width normalises the layer first", async () => {
    const narrowing = { widths: [2], layerNorm: true };
    // "a": 3 0 4 0 has mean 1.75; what is kept of it is 1.25 and −1.75, whatever the variance.
    const [x, y] = await vectorOf(madePlan({ narrowing }, { width: 2, normalise: true, special: false }), "a");
    expect(x).toBeCloseTo(1.25 / Math.hypot(1.25, 1.75), 5);
    expect(y).toBeCloseTo(-1.75 / Math.hypot(1.25, 1.75), 5);
  });

  test("a text longer than the model takes is cut", async () => {
    // [CLS] and six times a, [SEP]
    expect(await vectorOf(madePlan({ pooling: "mean" }), "a ".repeat(40))).toEqual([19 / 8, 2 / 8, 24 / 8, 1 / 8]);
  });
});

test("a text that fails is told of, and the others have their vectors", async () => {
  const embedder = embedderOf(madePlan({}, { special: false }), cpu);
  const made = await Array.fromAsync(embedder.embedPassages(["a", "", "c"]));
  expect(made.map((each) => ("vector" in each ? [...each.vector] : each.failure))).toEqual([
    [3, 0, 4, 0],
    "the text has no token",
    [1, 1, 1, 1],
  ]);
  await embedder.close();
});

test("a model of another width than its row says is refused", async () => {
  await expect(vectorOf(madePlan({ dims: 5 }), "a")).rejects.toThrow("the model gives 4 numbers, not 5");
});

test("an aborted signal stops between texts with its reason", async () => {
  const embedder = embedderOf(madePlan(), cpu);
  const stop = new AbortController();
  const seen: number[] = [];
  const run = async () => {
    for await (const { index } of embedder.embedPassages(["a", "b", "c"], { signal: stop.signal })) {
      seen.push(index);
      stop.abort(new Error("enough"));
    }
  };
  await expect(run()).rejects.toThrow("enough");
  expect(seen).toEqual([0]);
  await embedder.close();
});

test("a closed embedder says so", async () => {
  const embedder = embedderOf(madePlan(), cpu);
  await embedder.close();
  await expect(embedder.embedQuery("a")).rejects.toThrow("closed");
});

const maps = "/proc/self/maps";

test.skipIf(!existsSync(maps))("nothing of ONNX Runtime is loaded before the first text", () => {
  const code = `
    const { openEmbedder } = await import("./src/models/embed.ts");
    await import("./src/models/rerank.ts");
    await import("./src/models/pool.ts");
    const loaded = async () => (await Bun.file("${maps}").text()).includes("onnxruntime");
    const embedder = openEmbedder(${JSON.stringify(options)});
    const before = await loaded();
    await embedder.embedQuery("a");
    console.log(before, await loaded());`;
  const child = Bun.spawnSync([process.execPath, "-e", code], { cwd: join(import.meta.dir, "..", "..") });
  expect(child.stderr.toString()).toBe("");
  expect(child.stdout.toString().trim()).toBe("false true");
});

describe("the built-in model", () => {
  const awkward = [
    "",
    " ",
    "a",
    "x".repeat(1e6),
    "word ".repeat(60_000),
    "\0\ud800",
    "# Retry\n\nThe queue drops jobs.",
    "数据库",
  ];

  test("a vector depends on its text alone: any order, any company, any concurrency, any number of threads, the same bits", async () => {
    const embedder = openEmbedder({ ...options, threads: 1 });
    const alone = new Map<string, Float32Array>();
    for (const text of awkward) alone.set(text, (await vectorsOf(embedder.embedPassages([text])))[0]!);
    const backwards = awkward.toReversed();
    for (const [i, vector] of (await vectorsOf(embedder.embedPassages(backwards))).entries())
      expect(vector).toEqual(alone.get(backwards[i]!)!);
    const other = openEmbedder({ ...options, threads: 2 });
    const atOnce = await Promise.all(
      awkward.map(
        async (text) => (await vectorsOf((text.length % 2 === 0 ? embedder : other).embedPassages([text])))[0]!,
      ),
    );
    for (const [i, vector] of atOnce.entries()) expect(vector).toEqual(alone.get(awkward[i]!)!);
    await embedder.close();
    await other.close();
  });

  const folder = besides("bge-small-en-v1.5-q");

  test.skipIf(folder === undefined)("its vectors are close to the golden ones, and of length 1", async () => {
    const embedder = openEmbedder(options);
    const rows = goldenOf(folder!);
    const vectors = await vectorsOf(embedder.embedPassages(rows.map((row) => row.text)));
    for (const [i, { vector }] of rows.entries()) {
      expect(vectors[i]).toHaveLength(384);
      expect(Math.hypot(...vectors[i]!)).toBeCloseTo(1, 5);
      expect(cosine(vectors[i]!, vector)).toBeGreaterThan(0.99);
    }
    await embedder.close();
  });

  test.skipIf(folder === undefined)(
    "its optimised graph gives the published graph's numbers, bit for bit",
    async () => {
      const embedder = openEmbedder(options);
      const session = await openSession(join(folder!, "model.onnx"), { provider: "cpu", threads: 1 });
      for (const { text, ids } of goldenOf(folder!)) {
        const { data } = await session.run([{ ids, types: ids.map(() => 0) }], "last_hidden_state");
        const cls = data.slice(0, 384);
        const [made] = await vectorsOf(embedder.embedPassages([text]));
        const length = Math.sqrt(cls.reduce((sum, x) => sum + x * x, 0));
        expect(made).toEqual(cls.map((x) => x / length));
      }
      await session.close();
      await embedder.close();
    },
  );

  test("a query is read with its prefix, a passage without", async () => {
    const embedder = openEmbedder(options);
    const prefix = "Represent this sentence for searching relevant passages: ";
    const [passage, plain] = await vectorsOf(embedder.embedPassages([`${prefix}retry queue`, "retry queue"]));
    expect(await embedder.embedQuery("retry queue")).toEqual(passage!);
    expect(cosine(passage!, plain!)).toBeLessThan(0.999);
    await embedder.close();
  });
});

const light = besides("all-minilm-l6-v2-q");

test.skipIf(light === undefined)("a model that was side-loaded embeds as its golden vectors say", async () => {
  const models = temporary();
  await importModel(findModel("all-minilm-l6-v2"), "int8", light!, models);
  const embedder = openEmbedder({ models, textFormat: 1, profile: "all-minilm-l6-v2" });
  const rows = goldenOf(light!).filter(({ ids }) => ids.length <= 256);
  const vectors = await vectorsOf(embedder.embedPassages(rows.map((row) => row.text)));
  for (const [i, { vector }] of rows.entries()) expect(cosine(vectors[i]!, vector)).toBeGreaterThan(0.99);
  await embedder.close();
});
