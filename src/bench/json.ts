import { readFileSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects of a JSON list, `[]` when it is no list. What is no object is left out. */
export const objectsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** The texts of a JSON list. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Reads a file that is one JSON list of objects, whole into memory.
 *
 * @throws GestaltError("bad-dataset") when it cannot be read, is not JSON, or holds no object
 */
export function readObjects(file: string): readonly Fields[] {
  const objects = objectsOf(parse(file));
  if (objects.length > 0) return objects;
  throw new GestaltError("bad-dataset", `${file} is not a list of objects`, "fetch the data again");
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} cannot be read: ${messageOf(error)}`, "fetch the data again");
  }
}
