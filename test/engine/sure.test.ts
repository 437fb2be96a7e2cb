import { expect, onTestFinished, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineKnobs } from "../../src/engine/knobs.ts";
import { judgeOf } from "../../src/engine/sure.ts";
import { resolveSettings } from "../../src/settings.ts";

const plain = resolveSettings({ env: {} }, engineKnobs).values;
const on = { ...plain, abstain: true };

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "gestalt-sure-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "calibration.json");
  writeFileSync(file, text);
  return file;
}
const calibration = (changes: object = {}): string =>
  fileWith(JSON.stringify({ signals: { top1: { calibration: { status: "ok", scale: 1, offset: -2, ...changes } } } }));

function said(settings: typeof on, score: number | undefined) {
  const remarks: string[] = [];
  return { sure: judgeOf(settings)?.(score, remarks), remarks };
}

test("nobody asked: nothing is said", () => {
  expect(judgeOf(plain)).toBeUndefined();
});

test("without a calibration the second reader's score is the confidence, and reaching the minimum is enough", () => {
  expect(said(on, 0.5)).toEqual({ sure: { confidence: 0.5, abstain: false }, remarks: [] });
  const { sure, remarks } = said(on, 0.49);
  expect(sure).toEqual({ confidence: 0.49, abstain: true });
  expect(remarks).toEqual(["likely nothing here answers this: a confidence of 0.49, below 0.5"]);
});

test("with one it is what the score was worth: 1/(1+e) a unit below the middle, a half at it", () => {
  const settings = { ...on, calib: calibration() };
  expect(said(settings, 1).sure?.confidence).toBeCloseTo(1 / (1 + Math.E), 12);
  expect(said(settings, 2).sure).toEqual({ confidence: 0.5, abstain: false });
});

test("a first hit that nobody read again is not judged, and the reader is told", () => {
  expect(said(on, undefined)).toMatchObject({ sure: undefined, remarks: [expect.stringContaining("not read again")] });
});

test.each([
  ["no file", () => "/nowhere/calibration.json", "cannot be read"],
  ["no JSON", () => fileWith("{"), "cannot be read"],
  ["another JSON", () => fileWith("[]"), "holds no calibration of top1"],
  ["one that failed", () => calibration({ status: "too few" }), "holds no calibration of top1"],
  ["one of other scores", () => fileWith('{"system":"dense"}'), "of the scores of dense, not of a reranker"],
  ["one without a number", () => calibration({ scale: null }), "holds no calibration of top1"],
])("%s for a calibration is an error", (_, file, problem) => {
  expect(() => judgeOf({ ...on, calib: file() })).toThrow(problem);
});

test("a minimum beyond what a calibrated confidence can be is an error", () => {
  expect(() => judgeOf({ ...on, calib: calibration(), "abstain-min": 2 })).toThrow("from 0 to 1");
  expect(judgeOf({ ...on, "abstain-min": 2 })).toBeDefined();
});
