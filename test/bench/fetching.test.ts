import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { DatasetRow } from "../../src/bench/datasets.ts";
import { fetchDataset } from "../../src/bench/fetching.ts";
import { folderWith } from "./files.ts";

/** A stored archive of one file, made by hand. */
function archive(name: string, text: string): Buffer {
  const [data, bytes] = [Buffer.from(text), Buffer.from(name)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(bytes.length, 26);
  const about = Buffer.alloc(46);
  about.writeUInt32LE(0x02014b50, 0);
  for (const [value, at] of [
    [crc32(data), 16],
    [data.length, 20],
    [data.length, 24],
  ] as const)
    about.writeUInt32LE(value, at);
  about.writeUInt16LE(bytes.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + bytes.length, 12);
  end.writeUInt32LE(30 + bytes.length + data.length, 16);
  return Buffer.concat([local, bytes, data, about, bytes, end]);
}

let body = archive("tiny/corpus.jsonl", "a line\n");
const ranges: (string | null)[] = [];
let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const range = request.headers.get("range");
      ranges.push(range);
      const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
      const headers = { "content-range": `bytes ${from}-${body.length - 1}/${body.length}` };
      return range === null ? new Response(body) : new Response(body.subarray(from), { status: 206, headers });
    },
  });
});
afterAll(() => server.stop(true));

const row = (change: Partial<DatasetRow> = {}): DatasetRow => ({
  name: "tiny",
  form: "beir",
  url: `http://127.0.0.1:${server.port}/tiny.zip`,
  sha256: null,
  md5: null,
  bytes: body.length,
  licence: "none",
  splits: ["test"],
  folds: [],
  files: [],
  note: "",
  ...change,
});

describe("a data set that is fetched", () => {
  test("lies unpacked in the folder of its name, with nothing beside it", async () => {
    const folder = folderWith({});
    await fetchDataset(row(), folder);
    expect(readFileSync(join(folder, "tiny", "corpus.jsonl"), "utf8")).toBe("a line\n");
    expect(existsSync(join(folder, "tiny.part"))).toBe(false);
  });

  test("goes on where it was cut off", async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "tiny.part"), body.subarray(0, 20));
    await fetchDataset(row(), folder);
    expect(ranges.at(-1)).toBe("bytes=20-");
    expect(readFileSync(join(folder, "tiny", "corpus.jsonl"), "utf8")).toBe("a line\n");
  });

  test("must be what was published, or what came the first time", async () => {
    await expect(fetchDataset(row({ sha256: "0".repeat(64) }), folderWith({}))).rejects.toThrow(
      "not what was published",
    );
    const folder = folderWith({});
    await fetchDataset(row(), folder);
    body = archive("tiny/corpus.jsonl", "another\n");
    await expect(fetchDataset(row(), folder)).rejects.toThrow("not what was published");
    expect(existsSync(join(folder, "tiny.part"))).toBe(false);
  });

  test("of one file is put into the folder of its name", async () => {
    const folder = folderWith({});
    await fetchDataset(row({ form: "locomo" }), folder);
    expect(readFileSync(join(folder, "tiny", "tiny.zip")).equals(body)).toBe(true);
  });
});
