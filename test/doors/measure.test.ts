import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

const checkout = join(import.meta.dir, "..", "..");

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});

const good = {
  "corpus.jsonl": '{"_id":"a","title":"Retries","text":"a queue that retries"}\r\n{"_id":"b","text":"a cache"}\r\n',
  "queries.jsonl": '{"_id":"1","text":"retries"}\r\n{"_id":"2","text":"cache"}\r\n{"_id":"3","text":""}\r\n',
  "qrels/test.tsv": "query-id\tcorpus-id\tscore\r\n1\ta\t1\r\n2\tb\t1\r\n",
};

let sets = 0;
/** Writes a data set; a file that is null is left out. */
function dataSet(changed: Readonly<Record<string, string | null>> = {}): string {
  const folder = `sets/${++sets}`;
  for (const [file, text] of Object.entries({ ...good, ...changed }))
    if (text !== null) door.write(`${folder}/${file}`, text);
  return folder;
}

describe("gestalt bench", () => {
  test("reads CRLF and queries that nobody judged, and scores what it found", async () => {
    const { code, stdout } = await door.run(["bench", dataSet(), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results).toMatchObject([
      { system: "reference-bm25", queries: 2, "ndcg@10": 1 },
      { system: "lexical", queries: 2, "ndcg@10": 1 },
    ]);
  });

  test.each([
    ["no corpus", { "corpus.jsonl": null }, "corpus.jsonl is missing"],
    ["no queries", { "queries.jsonl": null }, "queries.jsonl is missing"],
    ["no judgements", { "qrels/test.tsv": null }, "test.tsv is missing"],
    ["an empty corpus", { "corpus.jsonl": "" }, "judges document a, which is not in"],
    ["a line that is no JSON", { "corpus.jsonl": '{"_id":"a"' }, "corpus.jsonl:1: not a JSON object"],
    ["half a character", { "corpus.jsonl": '{"_id":"\\ud800"}\n' }, '"_id" holds half a character'],
    ["a document twice", { "corpus.jsonl": good["corpus.jsonl"] + good["corpus.jsonl"] }, "document a comes twice"],
    ["a query twice", { "queries.jsonl": good["queries.jsonl"] + good["queries.jsonl"] }, "query 1 comes twice"],
    ["a judgement twice", { "qrels/test.tsv": "1\ta\t1\r\n1\ta\t0\r\n" }, "document a is judged twice for query 1"],
    ["an unknown document", { "qrels/test.tsv": "1\tz\t1\r\n" }, "judges document z, which is not in"],
    ["an unknown query", { "qrels/test.tsv": "9\ta\t1\r\n" }, "judges query 9, which is not in"],
    ["an empty query that is judged", { "qrels/test.tsv": "3\ta\t1\r\n" }, "query 3 is judged, but empty"],
    ["a grade that is no number", { "qrels/test.tsv": "1\ta\thigh\r\n2\tb\t1\r\n" }, "test.tsv"],
    ["nothing relevant", { "qrels/test.tsv": "1\ta\t0\r\n" }, "judges nothing as relevant"],
  ])("of %s says so in one clear line and a next step, with no score", async (_, changed, problem) => {
    const { code, stdout, stderr } = await door.run(["bench", dataSet(changed)]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(problem);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^gestalt: /),
      expect.stringMatching(/^ {2}try: /),
    ]);
    expect(stderr).not.toContain("bug");
  });

  test("of a file that is not the published one says so", async () => {
    const folder = dataSet();
    for (const [file, text] of Object.entries(good)) door.write(`${folder}/scifact/${file}`, text);
    const { code, stderr } = await door.run(["bench", "scifact", "--data", folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is not scifact as published: its SHA-256 differs")]);
  });
});

describe("what is learnt from a data set", () => {
  // Of every three questions one is answered by another document than the one with its words.
  const topics = ["retries", "cache", "sqlite", "vectors", "queue", "hooks", "tokens", "notes", "agents", "links"];
  const rows = (text: (topic: string, i: number) => object): string =>
    topics.map((topic, i) => `${JSON.stringify(text(topic, i))}\n`).join("");
  const learnable = () =>
    dataSet({
      "corpus.jsonl": rows((topic, i) => ({ _id: `d${i}`, title: topic, text: `About ${topic} and nothing else.` })),
      "queries.jsonl": [0, 1, 2].map((n) => rows((topic, i) => ({ _id: `q${n}-${i}`, text: topic }))).join(""),
      "qrels/test.tsv": [0, 1, 2]
        .flatMap((n) => topics.map((_, i) => `q${n}-${i}\td${n === 0 ? (i + 5) % 10 : i}\t1\n`))
        .join(""),
    });

  test("zoo: every model that is here, in a table and a plot", async () => {
    const { code, stdout } = await door.run(["bench", "zoo", learnable(), "--plot", "zoo.svg"]);
    expect(code).toBe(0);
    for (const system of ["grep", "reference-bm25", "lexical", "consensus, ", "dense, ", "hybrid, "])
      expect(stdout).toMatch(new RegExp(`^${system}`, "m"));
    expect(readFileSync(join(door.notes, "zoo.svg"), "utf8")).toContain("</svg>");
  });

  test("tune: chosen on some questions, told of the others, and a chance winner is left where it is", async () => {
    const { code, stdout } = await door.run(["bench", "tune", learnable()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chosen: half; on test-report, once: \d\.\d{4}$/m);
    expect(stdout).toContain(" − half");
  });

  test("calibrate: a file, and no use of it for scores that are none of a reranker's", async () => {
    const { code, stdout } = await door.run([
      "bench",
      "calibrate",
      learnable(),
      "--system",
      "lexical",
      "--out",
      "c.json",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^top1 /m);
    door.write("vault/a.md", "# Rain\n");
    const asked = await door.run(["search", "rain", "--vault", "vault", "--abstain", "--calib", "c.json"]);
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining("of the scores of lexical")]);
  });
});

describe("gestalt reproduce", () => {
  test("where nothing can be measured is exit code 2, and says of each cell why", async () => {
    const { code, stdout } = await door.run(["reproduce", "--data", dataSet()]);
    expect(code).toBe(2);
    expect(stdout).toContain("not measured, because\nscifact, reference-bm25: ");
    expect(stdout).toMatch(/^store {3}[0-9a-f]{64}$/m);
  });

  test("of what is not promised is refused", async () => {
    const { code, stderr } = await door.run(["reproduce", "trec-covid"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing is promised of "trec-covid"')]);
  });

  // Old results are no fault of a change; whoever makes a release measures again.
  test("finds every score of the README and the notes in a stored result, and tells which were measured with other code", async () => {
    const { stdout } = await door.run(["reproduce", "--gate", "--json"], { cwd: checkout });
    const { strays, stale } = JSON.parse(stdout);
    expect(strays).toEqual([]);
    if (stale.length > 0) {
      const rooms = [...new Set(stale.flatMap((each: { rooms: readonly string[] }) => each.rooms))].sort();
      console.log(`${stale.length} stored results were measured with other code (${rooms.join(", ")})`);
    }
  });
});

describe("gestalt eval", () => {
  test("asks the sample notes the questions that ship with them", async () => {
    const golden = ["eval", "run", "--golden", "bench/golden/knowledge.yml", "--vault", "knowledge", "--json"];
    const { code, stdout } = await door.run(golden, { cwd: checkout });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).all.recall5.share).toBeGreaterThan(0.85);
  });
});
