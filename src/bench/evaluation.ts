import { readFileSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";
import type { Outcome } from "./examine.ts";
import { type Fields, isFields, objectsOf, textOf, textsOf } from "./json.ts";
import type { Evaluation } from "./regression.ts";

/**
 * Reads what `gestalt eval run --out` wrote.
 *
 * @throws GestaltError("bad-dataset") when the file cannot be read or is of another shape
 */
export function readEvaluation(file: string): Evaluation {
  const value = parsed(file);
  const outcomes = objectsOf(value["outcomes"]).map(toOutcome);
  const [golden, system] = [textOf(value["golden"]), textOf(value["system"])];
  if (golden === "" || system === "" || outcomes.length === 0) throw notOne(file);
  const families = Array.isArray(value["families"]) ? value["families"].map(textsOf) : [];
  return { golden, system, outcomes, families };
}

function parsed(file: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isFields(value)) return value;
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} cannot be read: ${messageOf(error)}`, "gestalt eval run --out FILE");
  }
  throw notOne(file);
}

const notOne = (file: string): GestaltError =>
  new GestaltError("bad-dataset", `${file} is no outcome of an evaluation`, "gestalt eval run --out FILE");

const toOutcome = (held: Fields): Outcome => ({
  id: textOf(held["id"]),
  bucket: textOf(held["bucket"]),
  query: textOf(held["query"]),
  accept: textsOf(held["accept"]),
  negative: held["negative"] === true,
  rank: typeof held["rank"] === "number" ? held["rank"] : null,
  block: typeof held["block"] === "boolean" ? held["block"] : null,
  top: typeof held["top"] === "number" ? held["top"] : null,
  mode: textOf(held["mode"]),
  served: held["served"] === true,
});
