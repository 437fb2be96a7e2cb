import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openEmbedder } from "../../src/models/embed.ts";
import { embedInParallel } from "../../src/models/pool.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

// A model is loaded and run in each thread: slow where other work goes on.
setDefaultTimeout(60_000);

const options = { models: temporary(), textFormat: 1 };
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

test.each([
  ["cannot be made", 'class { constructor() { throw new Error("no threads today"); } }', "no threads today"],
  [
    "do not find their file",
    'class extends Worker { constructor() { super("file:///no/such/worker.ts"); } }',
    "ModuleNotFound",
  ],
  ["end at once", 'class extends Worker { constructor() { super("data:text/javascript,process.exit(0)"); } }', ""],
])("when threads %s the work is done here, and one line tells of each", (_, worker, reason) => {
  const code = `
    globalThis.Worker = ${worker};
    const { embedInParallel } = await import("./src/models/pool.ts");
    const notes = [];
    const work = embedInParallel(${JSON.stringify(options)}, Array(20).fill("a note"), {
      workers: 2,
      onNote: (line) => notes.push(line),
    });
    const made = await Array.fromAsync(work);
    console.log(JSON.stringify([made.filter((each) => "vector" in each).length, notes]));`;
  const child = Bun.spawnSync([process.execPath, "-e", code], { cwd: join(import.meta.dir, "..", "..") });
  expect(child.stderr.toString()).toBe("");
  const [count, notes] = JSON.parse(child.stdout.toString());
  expect([count, notes.length]).toEqual([20, 2]);
  for (const note of notes) expect(note).toStartWith("an embedding thread stopped: ");
  for (const note of notes) expect(note).toContain(reason);
});

test("a thread that dies takes the text it was at with it, which says so; the rest is done here", () => {
  const dying = "self.onmessage = ({ data }) => data.options ? postMessage({ ready: true }) : process.exit(1)";
  const code = `
    globalThis.Worker = class extends Worker { constructor() { super("data:text/javascript," + encodeURIComponent(${JSON.stringify(dying)})); } };
    const { embedInParallel } = await import("./src/models/pool.ts");
    const made = await Array.fromAsync(embedInParallel(${JSON.stringify(options)}, Array(20).fill("a note"), { workers: 2 }));
    console.log(JSON.stringify([made.filter((each) => "vector" in each).length, made.filter((each) => "failure" in each)]));`;
  const child = Bun.spawnSync([process.execPath, "-e", code], { cwd: join(import.meta.dir, "..", "..") });
  const [count, failures] = JSON.parse(child.stdout.toString());
  expect(count).toBe(18);
  // Which of the two dies first is not ours to say.
  expect(failures.sort((a: { index: number }, b: { index: number }) => a.index - b.index)).toEqual(
    [0, 1].map((index) => ({ index, failure: "the thread that embedded it stopped: it ended" })),
  );
});

test("bad options are refused before any thread is made", async () => {
  await expect(embedInParallel({ ...options, profile: "nobody" }, texts).next()).rejects.toThrow(
    "no embedding model nobody",
  );
});
