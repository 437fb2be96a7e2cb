import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import type { Entry } from "../../src/models/catalogue.ts";
import { importModel, listModels, partOf, removeModel, verifyModel } from "../../src/models/installed.ts";
import { folderOf } from "../../src/models/locate.ts";
import { getModel, type Progress } from "../../src/models/weights.ts";
import { clearTemporary, temporary } from "./temporary.ts";

afterAll(clearTemporary);

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const graph = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) % 251));
const words = Buffer.from('{"model":{}}');
const gitName = createHash("sha1").update(`blob ${words.length}\0`).update(words).digest("hex");

/** A model of two files; the row states the hash of the graph, and of the tokenizer nothing. */
const entry = (
  changes: Partial<{ sha256: string | null; bytes: number | null; revision: string | null }> = {},
): Entry => ({
  id: "embed/made",
  kind: "embed",
  name: "made",
  head: null,
  weights: {
    repository: "someone/made",
    revision: "revision" in changes ? (changes.revision ?? null) : "abc123",
    licence: "MIT",
    tokenizer: { path: "tokenizer.json", sha256: null, bytes: null },
    variants: {
      int8: {
        graph: {
          path: "onnx/model.onnx",
          sha256: "sha256" in changes ? (changes.sha256 ?? null) : sha256(graph),
          bytes: "bytes" in changes ? (changes.bytes ?? null) : graph.length,
        },
      },
    },
    dtype: "int8",
    ran: false,
  },
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A host on this machine. `graphs` answers for the graph, call by call, the last one from then on. */
async function host(...graphs: Handler[]): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range ?? ""}`.trim());
    if (request.url?.endsWith("/onnx/model.onnx")) graphs[Math.min(calls++, graphs.length - 1)]?.(request, response);
    else if (request.url === "/elsewhere") whole(request, response);
    else response.setHeader("etag", `"${gitName}"`).end(words);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { host: `http://127.0.0.1:${address.port}`, asked };
}

const whole: Handler = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from >= graph.length) return void response.writeHead(416).end();
  if (from > 0) response.writeHead(206, { "content-range": `bytes ${from}-${graph.length - 1}/${graph.length}` });
  response.end(graph.subarray(from));
};
const ignoresRange: Handler = (_, response) => void response.end(graph);
const breaksOff: Handler = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from > 0)
    response.writeHead(206, {
      "content-range": `bytes ${from}-${graph.length - 1}/${graph.length}`,
      "content-length": graph.length - from,
    });
  else response.setHeader("content-length", graph.length);
  response.write(graph.subarray(from, from + 100_000), () => setTimeout(() => response.destroy(), 20));
};
const wrongBytes: Handler = (_, response) => void response.end(Buffer.alloc(graph.length, 7));
const sendsElsewhere: Handler = (_, response) =>
  void response
    .writeHead(302, {
      location: "/elsewhere",
      "x-linked-etag": `"${sha256(graph)}"`,
      "x-linked-size": String(graph.length),
    })
    .end();
const answers =
  (status: number): Handler =>
  (_, response) =>
    void response.writeHead(status).end();

const fresh = temporary;

async function get(made: Entry, at: { host: string }, models = fresh(), more = {}) {
  await getModel(made, "int8", { models, host: at.host, patience: 0, ...more });
  return models;
}

const graphPath = (models: string) => join(folderOf(models, entry()), "onnx/model.onnx");

/** What lies there after the file was got. */
const expectWhole = async (models: string) => {
  expect(readFileSync(graphPath(models)).equals(graph)).toBe(true);
  expect(existsSync(partOf(graphPath(models)))).toBe(false);
  expect(await verifyModel(entry(), "int8", models)).toEqual([
    { path: "onnx/model.onnx", problem: undefined },
    { path: "tokenizer.json", problem: undefined },
  ]);
};

describe("getting a model", () => {
  test("asks for the pinned revision, tells how far it is, and is present afterwards", async () => {
    const at = await host(whole);
    const progress: Progress[] = [];
    const models = await get(entry(), at, fresh(), { onProgress: (p: Progress) => progress.push(p) });
    await expectWhole(models);
    expect(at.asked).toEqual([
      "/someone/made/resolve/abc123/onnx/model.onnx",
      "/someone/made/resolve/abc123/tokenizer.json",
    ]);
    expect(progress.at(-2)).toEqual({ path: "onnx/model.onnx", received: graph.length, total: graph.length });
    expect(listModels(models, [entry()])[0]?.state).toBe("present");
  });

  test("a second call asks nothing", async () => {
    const at = await host(whole);
    const models = await get(entry(), at);
    at.asked.length = 0;
    await get(entry(), at, models);
    expect(at.asked).toEqual([]);
  });

  test("goes on where a connection broke off", async () => {
    const at = await host(breaksOff, breaksOff, whole);
    await expectWhole(await get(entry(), at));
    expect(at.asked.slice(0, 3).map((line) => line.split(" ")[1])).toEqual([
      undefined,
      "bytes=100000-",
      "bytes=200000-",
    ]);
  });

  test("goes on where an earlier run was killed", async () => {
    const at = await host(whole);
    const models = fresh();
    mkdirSync(dirname(graphPath(models)), { recursive: true });
    writeFileSync(partOf(graphPath(models)), graph.subarray(0, 1234));
    expect(listModels(models, [entry()])[0]?.state).toBe("partial");
    await expectWhole(await get(entry(), at, models));
    expect(at.asked[0]).toEndWith("bytes=1234-");
  });

  test("begins anew when what lies there is the beginning of something else", async () => {
    const at = await host(whole);
    const models = fresh();
    mkdirSync(dirname(graphPath(models)), { recursive: true });
    writeFileSync(partOf(graphPath(models)), Buffer.alloc(5000, 1));
    await expectWhole(await get(entry(), at, models));
  });

  test("a part that is already whole, or too long, ends well", async () => {
    for (const bytes of [graph, Buffer.concat([graph, graph])]) {
      const models = fresh();
      mkdirSync(dirname(graphPath(models)), { recursive: true });
      writeFileSync(partOf(graphPath(models)), bytes);
      await expectWhole(await get(entry(), await host(whole), models));
    }
  });

  test("a host that ignores the range sends all of it again", async () => {
    await expectWhole(await get(entry(), await host(breaksOff, ignoresRange)));
  });

  test("a redirect is followed", async () => {
    await expectWhole(await get(entry(), await host(sendsElsewhere)));
  });

  test("a row without a hash takes the one that the host states, and notes it", async () => {
    const bare = entry({ sha256: null, bytes: null });
    const models = await get(bare, await host(sendsElsewhere));
    expect(JSON.parse(readFileSync(join(folderOf(models, bare), "placed.json"), "utf8"))).toEqual({
      "onnx/model.onnx": { sha256: sha256(graph), bytes: graph.length },
      "tokenizer.json": { sha256: sha256(words), bytes: words.length },
    });
  });

  test("a busy host is asked again", async () => {
    await expectWhole(await get(entry(), await host(answers(503), answers(429), whole)));
  });

  test("an aborted signal ends it with its reason, and what came stays for the next time", async () => {
    const models = fresh();
    const stop = new AbortController();
    const onProgress = ({ received }: Progress) => received > 0 && stop.abort(new Error("enough"));
    await expect(get(entry(), await host(whole), models, { signal: stop.signal, onProgress })).rejects.toThrow(
      "enough",
    );
    await expectWhole(await get(entry(), await host(whole), models));
  });
});

describe("a host that does wrong leaves no file in its place", () => {
  const shortOf: Handler = (_, response) => void response.end(graph.subarray(0, 1000));
  const longer: Handler = (_, response) => void response.end(Buffer.concat([graph, graph]));
  const promisesMore: Handler = (_, response) => {
    response.setHeader("content-length", graph.length * 2);
    response.write(graph, () => setTimeout(() => response.destroy(), 5));
  };
  const inCircles: Handler = (request, response) => void response.writeHead(302, { location: request.url }).end();
  const silent: Handler = () => {};

  test.each([
    ["wrong bytes", wrongBytes, {}, "other bytes"],
    ["too few bytes", shortOf, {}, "1000 of 300000"],
    ["too many bytes", longer, {}, "more than 300000"],
    ["a length beyond its bytes", promisesMore, { bytes: null }, ""],
    ["no hash for a row without one", whole, { sha256: null }, "states a hash"],
    ["nothing there", answers(404), {}, "404"],
    ["broken for good", answers(500), {}, "500"],
    ["redirects in circles", inCircles, {}, "more than 6 times"],
    ["no answer", silent, {}, "no byte came"],
  ] as const)("%s", async (_, handler, changes, message) => {
    const models = fresh();
    const error = await get(entry(changes), await host(handler), models, { stall: 100 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "download" });
    expect(error.message).toContain(message);
    expect(existsSync(graphPath(models))).toBe(false);
    expect(listModels(models, [entry(changes)])[0]?.state).not.toBe("present");
  });

  test("a row that pins no source is not asked for, and says how to bring it", async () => {
    const at = await host(whole);
    await expect(get(entry({ revision: null }), at)).rejects.toMatchObject({
      code: "model-missing",
      hint: "gestalt model import embed/made FOLDER",
    });
    expect(at.asked).toEqual([]);
  });

  test("a variant that the model lacks is refused", async () => {
    await expect(getModel(entry(), "q4", { models: fresh() })).rejects.toMatchObject({ code: "usage" });
  });

  test("a folder that cannot be written is an io error", async () => {
    const models = join(fresh(), "file");
    writeFileSync(models, "");
    await expect(get(entry(), await host(whole), models)).rejects.toMatchObject({ code: "io" });
  });
});

describe("side-loading", () => {
  const folderWith = (files: Record<string, Uint8Array>) => {
    const folder = fresh();
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    return folder;
  };

  test.each([
    ["laid out as the repository", { "onnx/model.onnx": graph, "tokenizer.json": words }],
    ["flat", { "model.onnx": graph, "tokenizer.json": words }],
    ["with a graph of another name", { "model_quantized.onnx": graph, "tokenizer.json": words }],
  ])("takes a folder %s", async (_, files) => {
    const models = fresh();
    expect(await importModel(entry(), "int8", folderWith(files), models)).toEqual([
      "onnx/model.onnx",
      "tokenizer.json",
    ]);
    await expectWhole(models);
  });

  test("takes file by file", async () => {
    const from = folderWith({ "model.onnx": graph, "tokenizer.json": words });
    const models = fresh();
    await importModel(entry(), "int8", join(from, "model.onnx"), models);
    expect(listModels(models, [entry()])[0]?.state).toBe("partial");
    await importModel(entry(), "int8", join(from, "tokenizer.json"), models);
    await expectWhole(models);
  });

  test("refuses a file that has another hash than its row states, and keeps nothing of it", async () => {
    const models = fresh();
    const from = folderWith({ "model.onnx": Buffer.from("no"), "tokenizer.json": words });
    await expect(importModel(entry(), "int8", from, models)).rejects.toMatchObject({ code: "download" });
    expect(existsSync(graphPath(models))).toBe(false);
  });

  test("names what it looked for when nothing fits", async () => {
    await expect(importModel(entry(), "int8", folderWith({ "readme.md": words }), fresh())).rejects.toMatchObject({
      code: "usage",
      hint: "it is made of onnx/model.onnx, tokenizer.json",
    });
    await expect(importModel(entry(), "int8", "/no/such/folder", fresh())).rejects.toMatchObject({ code: "usage" });
  });
});

describe("what is there", () => {
  test("a changed, a lost and an unchecked file are found", async () => {
    const models = await get(entry(), await host(whole));
    writeFileSync(graphPath(models), Buffer.alloc(graph.length));
    const tokenizer = join(folderOf(models, entry()), "tokenizer.json");
    writeFileSync(tokenizer, "{}");
    const [first, second] = await verifyModel(entry(), "int8", models);
    expect(first?.problem).toContain(`should be ${sha256(graph)}`);
    expect(second?.problem).toContain("SHA-256");
    expect((await verifyModel(entry(), "int8", fresh())).map(({ problem }) => problem)).toEqual(["missing", "missing"]);
  });

  test("removing takes all of it, and once more is harmless", async () => {
    const models = await get(entry(), await host(whole));
    expect(removeModel(entry(), models)).toBe(true);
    expect(removeModel(entry(), models)).toBe(false);
    expect(listModels(models, [entry()])[0]?.state).toBe("absent");
  });
});
