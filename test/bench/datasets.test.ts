import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { checkFiles, datasetRows, findDataset, hashOf } from "../../src/bench/datasets.ts";
import { fileWith, folderWith } from "./files.ts";
import { shared } from "./shared.ts";

describe.each(datasetRows.map((row) => [row.name, row] as const))("%s", (name, row) => {
  test("has a name that is fit for a folder, a known form, a licence and a split", () => {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    expect(["beir", "locomo", "longmemeval"]).toContain(row.form);
    expect(row.licence).not.toBe("");
    expect(row.splits).toContain("test");
  });

  test("has hashes that are hashes, and comes over https", () => {
    for (const hash of [row.sha256, ...row.files.map((file) => file.sha256)])
      if (hash !== null) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    if (row.md5 !== null) expect(row.md5).toMatch(/^[0-9a-f]{32}$/);
    if (row.url !== null) expect(new URL(row.url).protocol).toBe("https:");
  });
});

test("no two rows have one name", () => {
  expect(new Set(datasetRows.map(({ name }) => name)).size).toBe(datasetRows.length);
});

describe("a data set", () => {
  test("is found by name below the data folder", () => {
    const data = folderWith({ "scifact/corpus.jsonl": "" });
    expect(findDataset("scifact", data)).toEqual([
      { name: "scifact", dir: join(data, "scifact"), row: datasetRows.find(({ name }) => name === "scifact") },
    ]);
  });

  test("is found by its path, also one that no row knows", () => {
    const data = folderWith({ "mine/corpus.jsonl": "" });
    expect(findDataset(join(data, "mine"))).toEqual([
      { name: join(data, "mine"), dir: join(data, "mine"), row: undefined },
    ]);
    expect(findDataset("mine", data)).toEqual([{ name: "mine", dir: join(data, "mine"), row: undefined }]);
  });

  test("with folds is as many places, and a fold is one", () => {
    const row = datasetRows.find(({ name }) => name === "cqadupstack");
    const files = Object.fromEntries((row?.folds ?? []).map((fold) => [`cqadupstack/${fold}/corpus.jsonl`, ""]));
    const data = folderWith(files);
    expect(findDataset("cqadupstack", data).map(({ name }) => name)).toEqual(
      row?.folds.map((fold) => `cqadupstack/${fold}`) ?? [],
    );
    expect(findDataset("cqadupstack/gis", data)).toEqual([
      { name: "cqadupstack/gis", dir: join(data, "cqadupstack/gis"), row },
    ]);
  });

  test("that is absent is an error that says where it comes from", () => {
    const data = folderWith({});
    expect(() => findDataset("scifact", data)).toThrow(`the data set scifact is not in ${data}`);
    expect(() => findDataset("scifact", data)).toThrow(
      expect.objectContaining({ code: "not-found", hint: expect.stringContaining("BEIR/datasets/scifact.zip") }),
    );
    expect(() => findDataset("anthropic-docs")).toThrow("the data set anthropic-docs is not at hand");
    expect(() => findDataset("scifcat", data)).toThrow('no data set "scifcat"');
  });
});

describe("the hashes of a row", () => {
  test("are those that the shell gives", () => {
    expect(hashOf(fileWith("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("refuse a file that is not the published one, and leave absent files alone", () => {
    const dir = folderWith({ "qrels/test.tsv": "q\td\t1\n" });
    const row = datasetRows.find(({ name }) => name === "scifact");
    expect(() => checkFiles({ name: "scifact", dir, row })).toThrow("is not scifact as published");
    checkFiles({ name: "scifact", dir: folderWith({}), row });
    checkFiles({ name: "mine", dir, row: undefined });
  });

  const scifact = shared("beir", "scifact");
  scifact.test("accept the real files", () => {
    for (const place of findDataset("scifact", join(scifact.path, ".."))) checkFiles(place);
  });

  const locomo = shared("locomo10.json");
  locomo.test("accept the real LoCoMo", () => {
    expect(hashOf(locomo.path)).toBe(datasetRows.find(({ name }) => name === "locomo")?.sha256 ?? "");
  });
});
