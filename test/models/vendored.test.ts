import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtIn } from "../../src/models/profiles.ts";
import { vendoredGraph } from "../../src/models/vendored.ts";
import manifest from "../../src/models/weights/manifest.json";

const weights = join(import.meta.dir, "..", "..", "src", "models", "weights");

test("the built-in model's files are those that its manifest names, byte for byte", () => {
  expect(manifest.profile).toBe(builtIn);
  for (const { name, size, sha256 } of manifest.files) {
    const bytes = readFileSync(join(weights, name));
    expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([size, sha256]);
  }
});

test("run from source, the graph is the file in the tree, its tensors beside it", () => {
  expect(vendoredGraph()).toBe(join(weights, "model.onnx"));
});

test("its licence lies beside it", () => {
  expect(readFileSync(join(weights, "LICENSE"), "utf8")).toContain("MIT License");
});
