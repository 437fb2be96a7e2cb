import { afterAll, describe, expect, test } from "bun:test";
import type { RerankerProfile } from "../../src/models/profile.ts";
import { defaultInstruction, openReranker, rerankerOf } from "../../src/models/rerank.ts";
import { rerankers } from "../../src/models/rerankers.ts";
import { causal, classifier, lookUp, madeFiles, tokenizer, words } from "./graphs.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

const cpu = { device: "cpu", threads: 1 } as const;

const head: RerankerProfile = { ...rerankers["ms-marco-minilm-l-6-v2"], maxTokens: 12 };
//                  PAD UNK CLS SEP a  b   c    d
const values = [1e6, 0, 0, 0, 1, 10, 100, 1000, 0, 0];
const classify = (options = {}, dtype: "float32" | "int8" = "float32") =>
  rerankerOf("made", head, dtype, madeFiles(classifier(values)), { ...cpu, ...options });

describe("a classification head", () => {
  test.each([1, 2, 8])("reads question and text as a pair, in batches of %d: logits by hand", async (batch) => {
    const reranker = classify({ batch });
    // a of the question counts once, what stands in the text twice.
    expect(await reranker.rerank("a", ["b", "c b", "d d d"])).toEqual({ scores: [21, 221, 6001] });
    await reranker.close();
  });

  test("on the CPU an int8 model reads one pair at a time, so that a score does not depend on its company", async () => {
    const reranker = classify({ batch: 8 }, "int8");
    expect(await reranker.rerank("a", ["b", "c"])).toEqual({ scores: [21, 201] });
    await reranker.close();
  });

  test("only the first characters of a text are read", async () => {
    const reranker = classify({ maxChars: 3 });
    expect(await reranker.rerank("a", ["b c d", "c"])).toEqual({ scores: [221, 201] });
    await reranker.close();
  });

  test("a score that is no number leaves the order alone", async () => {
    const broken = rerankerOf("made", head, "float32", madeFiles(classifier(values.with(5, Number.NaN))), cpu);
    expect(await broken.rerank("a", ["c", "b"])).toEqual({
      fallback: "nonfinite-score",
      reason: "text 2 of 2 got NaN",
    });
    await broken.close();
  });

  test("a graph with more than one number a pair is refused in words", async () => {
    const wide = rerankerOf(
      "made",
      head,
      "float32",
      madeFiles(
        lookUp(
          values.map((x) => [x, x]),
          "logits",
        ),
      ),
      cpu,
    );
    expect(await wide.rerank("a", ["c", "b"])).toMatchObject({ fallback: "run-failed" });
    await wide.close();
  });
});

test("one text or none is nothing to order, and loads nothing", async () => {
  const reranker = rerankerOf(
    "made",
    head,
    "float32",
    { ...madeFiles(classifier(values)), graph: () => "/no/such/file" },
    cpu,
  );
  expect(await reranker.rerank("a", [])).toMatchObject({ fallback: "too-few" });
  expect(await reranker.rerank("a", ["b"])).toMatchObject({ fallback: "too-few" });
});

test("a model that cannot be loaded leaves the order alone", async () => {
  const reranker = rerankerOf(
    "made",
    head,
    "float32",
    { ...madeFiles(classifier(values)), graph: () => "/no/such/file" },
    cpu,
  );
  expect(await reranker.rerank("a", ["b", "c"])).toMatchObject({ fallback: "load-failed" });
});

test("over the deadline the order stays, and it says how far it came", async () => {
  const reranker = classify();
  const over = AbortSignal.abort();
  expect(await reranker.rerank("a", ["b", "c"], over)).toEqual({
    fallback: "deadline",
    reason: "0 of 2 texts were read in time",
  });
  await reranker.close();
});

test("a reranker that is not in the table is refused with those that are", () => {
  expect(() => openReranker({ models: temporary(), model: "nobody" })).toThrow("no reranker nobody");
  expect(() => openReranker({ models: temporary(), model: "bge" })).toThrow("weights of bge (int8) are not there");
});

describe("a language model that answers yes or no", () => {
  // The answer hangs on the last token alone: for c yes 5 no 2, for d yes 1 no 3.
  const answers: Readonly<Record<string, number>> = { "c yes": 5, "c no": 2, "d yes": 1, "d no": 3 };
  const logits = words.map((word) => words.map((answer) => answers[`${word} ${answer}`] ?? 0));
  const form = { kind: "yes-no", yes: 8, no: 9, before: "[CLS] a", after: "" } as const;
  const profile: RerankerProfile = { ...head, form, maxTokens: 64 };
  const judge = (changes: Partial<RerankerProfile> = {}, options = {}) =>
    rerankerOf("made", { ...profile, ...changes }, "float32", madeFiles(lookUp(logits, "logits"), tokenizer(false)), {
      ...cpu,
      ...options,
    });

  test("log-odds at the last position, rows of unequal length", async () => {
    const reranker = judge();
    expect(await reranker.rerank("b", ["a a a c", "d", "a"])).toEqual({ scores: [3, -2, 0] });
    await reranker.close();
  });

  test.each([1, 2, 8])(
    "the same from a graph that answers for the last position only, in batches of %d",
    async (batch) => {
      const files = madeFiles(causal(logits), tokenizer(false));
      const reranker = rerankerOf("made", profile, "float32", files, { ...cpu, batch });
      expect(await reranker.rerank("b", ["a a a c", "d", "a"])).toEqual({ scores: [3, -2, 0] });
      await reranker.close();
    },
  );

  test("what closes the prompt is kept when the text is too long", async () => {
    const reranker = judge({ form: { ...form, after: "c" }, maxTokens: 20 });
    expect(await reranker.rerank("b", ["d ".repeat(500), "a"])).toEqual({ scores: [3, 3] });
    await reranker.close();
  });

  test("a special token spelled in a note does not become one", async () => {
    // As a token [SEP] would be the last; as letters "]" is, which is unknown here.
    const table = logits.with(
      3,
      words.map((answer) => (answer === "yes" ? 100 : 0)),
    );
    const reranker = rerankerOf("made", profile, "float32", madeFiles(lookUp(table, "logits"), tokenizer(false)), cpu);
    expect(await reranker.rerank("b", ["a [SEP]", "c"])).toEqual({ scores: [0, 3] });
    await reranker.close();
  });

  test("a vocabulary without the answers is refused in words", async () => {
    const reranker = judge({ form: { ...form, yes: 9693, no: 2152 } });
    expect(await reranker.rerank("b", ["a", "c"])).toEqual({
      fallback: "run-failed",
      reason: "the model's vocabulary has only 10 words",
    });
    await reranker.close();
  });
});

test("the Qwen rows carry the published answer ids, prompt and empty think block", () => {
  for (const name of ["qwen3-0.6b", "qwen3-4b"] as const) {
    const { form } = rerankers[name];
    expect(form).toMatchObject({ kind: "yes-no", yes: 9693, no: 2152 });
    if (form.kind === "yes-no") expect(form.after).toBe("<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n");
  }
  expect(defaultInstruction).toStartWith("Given a question about a personal engineering knowledge base");
});
