import { readFileSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";
import { abstains, type Calibration, confidence } from "../rank/calibrate.ts";
import type { EngineSettings } from "./knobs.ts";

/** How sure the second reader is of the first hit, and whether that is too little to call it an answer. */
export type Confidence = { readonly confidence: number; readonly abstain: boolean };

/** Given the second reader's score of the first hit. Says what it found in the remarks. */
type Judge = (score: number | undefined, remarks: string[]) => Confidence | undefined;

/**
 * Who says whether an answer is one; undefined when nobody asked. Nothing is left out or moved for it: the hits are there
 * to be looked at.
 *
 * @throws GestaltError("usage") when the calibration is none, or the minimum is no confidence
 */
export function judgeOf(settings: EngineSettings): Judge | undefined {
  const { abstain, "abstain-min": minimum, calib } = settings;
  if (!abstain) return undefined;
  const calibration = calib === undefined ? undefined : readCalibration(calib);
  if (calibration !== undefined && !(minimum >= 0 && minimum <= 1))
    throw new GestaltError(
      "usage",
      `abstain-min is ${minimum}: with a calibration it is from 0 to 1`,
      "--abstain-min 0.5",
    );
  return (score, remarks) => {
    if (score === undefined) {
      remarks.push("how sure this answer is cannot be told: its first hit was not read again (see --rerank)");
      return undefined;
    }
    const sure = confidence(score, calibration);
    const abstain = abstains(sure, minimum);
    if (abstain)
      remarks.push(`likely nothing here answers this: a confidence of ${sure.toPrecision(2)}, below ${minimum}`);
    return { confidence: sure, abstain };
  };
}

/** The confidence that `gestalt bench calibrate --out` wrote, or the reference's own tool. */
function readCalibration(file: string): Calibration {
  const held = parsed(file);
  const { system } = held;
  if (typeof system === "string" && !system.startsWith("rerank"))
    throw new GestaltError("usage", `${file} is of the scores of ${system}, not of a reranker`, "--system rerank");
  const { status, scale, offset } = field(field(field(held, "signals"), "top1"), "calibration");
  if (status !== "ok" || typeof scale !== "number" || typeof offset !== "number")
    throw new GestaltError(
      "usage",
      `${file} holds no calibration of top1`,
      "gestalt bench calibrate DATASET --out FILE",
    );
  return { scale, offset };
}

type Fields = Readonly<Record<string, unknown>>;

const field = (held: Fields, name: string): Fields => {
  const value = held[name];
  return typeof value === "object" && value !== null ? { ...value } : {};
};

function parsed(file: string): Fields {
  try {
    return field({ file: JSON.parse(readFileSync(file, "utf8")) }, "file");
  } catch (error) {
    throw new GestaltError("usage", `${file} cannot be read: ${messageOf(error)}`, "--calib FILE");
  }
}
