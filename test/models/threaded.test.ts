import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { openEmbedder } from "../../src/models/embed.ts";
import { embedderInThread } from "../../src/models/threaded.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

// A model is loaded and run in each thread: slow where other work goes on.
setDefaultTimeout(60_000);

const options = { models: temporary(), textFormat: 1 };
const texts = Array.from({ length: 12 }, (_, i) => `Note ${i}: ${"the retry queue drops jobs ".repeat(i % 4)}`);

test("every question gets its own vector, the one that a model in this thread gives, also among passages", async () => {
  const here = openEmbedder({ ...options, threads: 1 });
  const there = embedderInThread({ ...options, threads: 1 });
  const passages = Array.fromAsync(there.embedPassages(texts));
  const questions = await Promise.all(texts.map((text) => there.embedQuery(text)));
  for (const [i, text] of texts.entries()) expect(questions[i]).toEqual(await here.embedQuery(text));
  expect(await passages).toEqual(await Array.fromAsync(here.embedPassages(texts)));
  expect([there.profile, there.fingerprint, there.dims]).toEqual([here.profile, here.fingerprint, here.dims]);
  await Promise.all([here.close(), there.close()]);
});

test("one that is closed refuses what comes after, and leaves nobody waiting", async () => {
  const embedder = embedderInThread(options);
  const asked = Promise.allSettled(texts.map((text) => embedder.embedQuery(text)));
  await embedder.close();
  for (const outcome of await asked)
    if (outcome.status === "rejected") expect(String(outcome.reason)).toContain("closed");
  await expect(embedder.embedQuery("late")).rejects.toThrow("closed");
});

test("this thread does the work where another cannot be had", async () => {
  const worker = globalThis.Worker;
  globalThis.Worker = class {
    constructor() {
      throw new Error("no threads here");
    }
  } as unknown as typeof Worker;
  try {
    const embedder = embedderInThread(options);
    const here = openEmbedder(options);
    expect(await embedder.embedQuery("the retry queue")).toEqual(await here.embedQuery("the retry queue"));
    await Promise.all([embedder.close(), here.close()]);
  } finally {
    globalThis.Worker = worker;
  }
});

test("unknown options are refused at once", () => {
  expect(() => embedderInThread({ ...options, profile: "nothing" })).toThrow("no embedding model");
});
