import { afterAll, expect, test } from "bun:test";
import { type Desk, openDesk } from "../../src/engine/desk.ts";
import type { Meaning } from "../../src/engine/meaning.ts";
import { reread } from "../../src/engine/reread.ts";
import { GestaltError } from "../../src/errors.ts";
import { rerankerOf } from "../../src/models/rerank.ts";
import { rerankers } from "../../src/models/rerankers.ts";
import { classifier, madeFiles } from "../models/graphs.ts";
import { clearTemporary } from "../models/temporary.ts";
import { indexOf, noteOf } from "../store/fixture.ts";
import { defaults } from "./vault.ts";

afterAll(clearTemporary);

//               PAD UNK CLS SEP a  b   c    d: what a word adds to a passage's logit
const values = [0, 0, 0, 0, 0, 10, 100, 1000, 0, 0];
const head = { ...rerankers["ms-marco-minilm-l-6-v2"], maxTokens: 12 };
const db = indexOf(["b", "c", "d"].map((word, i) => noteOf(`${i}.md`, word)));
const ids = (db.query("SELECT id FROM passage ORDER BY id").values() as [number][]).map(([id]) => id);
const ranking = ids.map((id, i) => ({ id, score: 3 - i }));

const place = { vaults: [], db: ":memory:", vectors: "", models: "", why: "a test" };
const deskWith = (settings: Partial<Desk["settings"]>, reranker?: Desk["reranker"]): Desk => ({
  ...openDesk(place, { ...defaults, rerank: "on", ...settings }, []),
  reranker:
    reranker ??
    (async () => rerankerOf("made", head, "float32", madeFiles(classifier(values)), { device: "cpu", threads: 1 })),
});
const meaningOn = (provider: "cpu" | "webgpu"): Meaning => ({
  embedder: {
    profile: "bge-small-en-v1.5",
    fingerprint: "",
    dims: 384,
    ready: async () => ({ provider, note: undefined }),
    embedQuery: () => Promise.reject(new Error("not asked here")),
    async *embedPassages() {},
    close: async () => {},
  },
  model: 1,
  fusion: {
    name: "half",
    knobs: {
      k: 60,
      wBm25: 0.5,
      alpha: 0.5,
      norm: "zscore",
      missing: "leg_min",
      rescue: { rank: 3, min: 0.5, window: 20, at: 5, max: 2 },
    },
  },
  rerank: { model: "made", blend: 0 },
});
const orderOf = (found: { ranking: readonly { id: number }[] }) => found.ranking.map(({ id }) => ids.indexOf(id));

test("the order of the second reading, with the model that made it and how long it took", async () => {
  const found = await reread(deskWith({}), db, "a", ranking, meaningOn("cpu"));
  expect(orderOf(found)).toEqual([2, 1, 0]);
  expect(found.told).toMatchObject({ model: "made" });
  expect(found.told?.ms).toBeGreaterThanOrEqual(0);
  expect(found.told?.fallback).toBeUndefined();
});

test("at a blend of 1 the first order stands, and below the depth nothing moves", async () => {
  expect(orderOf(await reread(deskWith({ "rerank-blend": 1 }), db, "a", ranking, meaningOn("cpu")))).toEqual([0, 1, 2]);
  expect(orderOf(await reread(deskWith({ "rerank-depth": 2 }), db, "a", ranking, meaningOn("cpu")))).toEqual([1, 0, 2]);
});

test("off reads nothing; auto reads on a device that is faster than the processor", async () => {
  expect(orderOf(await reread(deskWith({ rerank: "off" }), db, "a", ranking, meaningOn("webgpu")))).toEqual([0, 1, 2]);
  expect(orderOf(await reread(deskWith({ rerank: "auto" }), db, "a", ranking, meaningOn("cpu")))).toEqual([0, 1, 2]);
  expect(orderOf(await reread(deskWith({ rerank: "auto" }), db, "a", ranking, meaningOn("webgpu")))).toEqual([2, 1, 0]);
});

test("over the deadline the first order stands, and the answer says so", async () => {
  const slow: Desk["reranker"] = async () => ({
    model: "slow",
    rerank: async (_, __, signal) => {
      while (!signal?.aborted) await Bun.sleep(1);
      return { fallback: "deadline", reason: "the time was up" };
    },
    close: async () => {},
  });
  const found = await reread(deskWith({ "rerank-ms": 5 }, slow), db, "a", ranking, meaningOn("cpu"));
  expect(orderOf(found)).toEqual([0, 1, 2]);
  expect(found.told?.fallback).toBe("deadline: the time was up");
});

test("weights that are not there keep the order: said when asked for, silent when only wished for", async () => {
  const missing: Desk["reranker"] = () =>
    Promise.reject(new GestaltError("model-missing", "no weights", "gestalt model get rerank/made"));
  const asked = await reread(deskWith({}, missing), db, "a", ranking, meaningOn("cpu"));
  expect(orderOf(asked)).toEqual([0, 1, 2]);
  expect(asked.told?.fallback).toContain("gestalt model get rerank/made");
  const wished = await reread(deskWith({ rerank: "auto" }, missing), db, "a", ranking, meaningOn("webgpu"));
  expect([orderOf(wished), wished.told]).toEqual([[0, 1, 2], undefined]);
});
