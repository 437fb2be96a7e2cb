import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedder } from "../../src/models/embed.ts";
import { embedInParallel } from "../../src/models/pool.ts";

const options = { models: mkdtempSync(join(tmpdir(), "gestalt-models-")), textFormat: 1 };
const texts = Array.from({ length: 24 }, (_, i) => `Note ${i}: ${"the retry queue drops jobs ".repeat(i % 5)}`);

const alone = async (): Promise<Map<number, Float32Array>> => {
  const embedder = openEmbedder({ ...options, threads: 1 });
  const vectors = new Map<number, Float32Array>();
  for await (const made of embedder.embedPassages(texts)) if ("vector" in made) vectors.set(made.index, made.vector);
  await embedder.close();
  return vectors;
};

test("two threads give each text once, with the bits that one model alone gives", async () => {
  const notes: string[] = [];
  const expected = await alone();
  const seen: number[] = [];
  for await (const made of embedInParallel(options, texts, { workers: 2, onNote: (line) => notes.push(line) })) {
    seen.push(made.index);
    expect("vector" in made && made.vector).toEqual(expected.get(made.index)!);
  }
  expect(seen.sort((a, b) => a - b)).toEqual([...texts.keys()]);
  expect(notes).toEqual([]);
});

test("few texts, no texts and one thread need no threads and give the same", async () => {
  expect(await Array.fromAsync(embedInParallel(options, [], { workers: 2 }))).toEqual([]);
  const few = await Array.fromAsync(embedInParallel(options, texts.slice(0, 2), { workers: 2 }));
  const expected = await alone();
  expect(few.map((made) => "vector" in made && made.vector)).toEqual([expected.get(0)!, expected.get(1)!]);
});

test("an aborted signal ends the work with its reason, and the threads with it", async () => {
  const stop = new AbortController();
  const run = async () => {
    for await (const _ of embedInParallel(options, texts, { workers: 2, signal: stop.signal }))
      stop.abort(new Error("enough"));
  };
  await expect(run()).rejects.toThrow("enough");
});

test("leaving the loop early frees the threads: the process ends by itself", () => {
  const code = `
    const { embedInParallel } = await import("./src/models/pool.ts");
    for await (const made of embedInParallel(${JSON.stringify(options)}, Array(40).fill("a note"), { workers: 2 })) break;
    console.log("done");`;
  const child = Bun.spawnSync([process.execPath, "-e", code], {
    cwd: join(import.meta.dir, "..", ".."),
    timeout: 20_000,
  });
  expect([child.stdout.toString(), child.stderr.toString(), child.exitCode]).toEqual(["done\n", "", 0]);
});

test("without threads the work is done here, and one line tells of each that could not start", async () => {
  const code = `
    globalThis.Worker = class { constructor() { throw new Error("no threads today"); } };
    const { embedInParallel } = await import("./src/models/pool.ts");
    const notes = [];
    const made = await Array.fromAsync(embedInParallel(${JSON.stringify(options)}, Array(20).fill("a note"), { workers: 2, onNote: (n) => notes.push(n) }));
    console.log(made.filter((m) => "vector" in m).length, notes.join("; "));`;
  const child = Bun.spawnSync([process.execPath, "-e", code], { cwd: join(import.meta.dir, "..", "..") });
  expect(child.stdout.toString()).toBe(
    "20 an embedding thread stopped: no threads today; an embedding thread stopped: no threads today\n",
  );
});

test("bad options are refused before any thread is made", async () => {
  await expect(embedInParallel({ ...options, profile: "nobody" }, texts).next()).rejects.toThrow(
    "no embedding model nobody",
  );
});
