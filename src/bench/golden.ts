import { readFileSync } from "node:fs";
import { CryptoHasher } from "bun";
import { GestaltError, messageOf } from "../errors.ts";
import { type Fields, isFields, objectsOf, textOf, textsOf } from "./json.ts";

/** What a question was made from, and what is kept from being searched while it is asked. */
export const fields = ["alias", "heading", "summary", "link", "sentence"] as const;
export type Field = (typeof fields)[number];

/**
 * A question to one's own notes. `accept` are slugs or paths of notes that answer it, none for a question that the notes
 * do not answer; `block` is the section's block id, where only one section does.
 */
export type Case = {
  readonly id: string;
  readonly query: string;
  readonly accept: readonly string[];
  readonly block: string | undefined;
  /** What the question is counted with: `exact`, `paraphrase`, `negative`, or any word of the golden set. */
  readonly bucket: string;
  /** What it was made from; undefined when a person wrote it. */
  readonly made: Field | undefined;
  /** The note it was made from, when another is asked for: it is no answer. */
  readonly from: string | undefined;
};

/** A golden set. `families` are slugs of notes that answer the same questions. */
export type Golden = {
  readonly cases: readonly Case[];
  readonly families: readonly (readonly string[])[];
  /** SHA-256 of the file. */
  readonly hash: string;
};

/**
 * Reads a golden set: YAML with `cases:` as the reference has it, or JSON lines as `gestalt eval make` writes them.
 *
 * @throws GestaltError("bad-dataset") when it cannot be read, holds no case, a case twice, or one without a question or
 *   an expectation
 */
export async function readGolden(file: string): Promise<Golden> {
  const text = textOfFile(file);
  const hash = new CryptoHasher("sha256").update(text).digest("hex");
  const { cases, families } = /\.jsonl$/i.test(file) ? fromLines(file, text) : await fromYaml(file, text);
  if (cases.length === 0) throw new GestaltError("bad-dataset", `${file} holds no question`, "gestalt eval make");
  const ids = new Set<string>();
  for (const { id } of cases) {
    if (ids.has(id)) throw new GestaltError("bad-dataset", `${file}: the case ${id} comes twice`, "give it another id");
    ids.add(id);
  }
  return { cases, families, hash };
}

function textOfFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} cannot be read: ${messageOf(error)}`, "gestalt eval make");
  }
}

function fromLines(file: string, text: string): Omit<Golden, "hash"> {
  const lines = text.split("\n").map((line, i) => ({ line, place: `${file}:${i + 1}` }));
  const cases = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, place }) => toCase(parsed(line, place), place));
  return { cases, families: [] };
}

function parsed(line: string, place: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isFields(value)) return value;
  } catch {
    // Said below.
  }
  throw new GestaltError("bad-dataset", `${place}: not a JSON object`, "mend that line");
}

async function fromYaml(file: string, text: string): Promise<Omit<Golden, "hash">> {
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} is not YAML: ${messageOf(error).split("\n")[0]}`, "mend that file");
  }
  const held = isFields(value) ? value : {};
  const families = Array.isArray(held["families"]) ? held["families"].map(textsOf) : [];
  const cases = objectsOf(held["cases"]).map((fields, i) => toCase(fields, `${file}: case ${i + 1}`, `case-${i + 1}`));
  return { cases, families };
}

function toCase(held: Fields, place: string, fallback = ""): Case {
  const query = textOf(held["query"]);
  const none = held["expect_none"] === true || held["bucket"] === "negative";
  const accept = [...new Set([textOf(held["expect_slug"]), ...textsOf(held["expect_any"])].filter(Boolean))];
  const problem =
    query.trim() === ""
      ? "no query"
      : none === accept.length > 0
        ? "it expects either notes (expect_slug, expect_any) or nothing (expect_none: true)"
        : undefined;
  if (problem !== undefined) throw new GestaltError("bad-dataset", `${place}: ${problem}`, "mend that case");
  const made = fields.find((field) => field === held["made"]);
  return {
    id: textOf(held["id"]) || fallback || query,
    query,
    accept,
    block: textOf(held["expect_block"]).replace(/^\^/, "") || undefined,
    bucket: textOf(held["bucket"]) || (none ? "negative" : "all"),
    made,
    from: textOf(held["from"]) || undefined,
  };
}

/** A golden set as JSON lines. Reading them gives the same cases. */
export const formatCases = (cases: readonly Case[]): string =>
  cases
    .map(({ id, query, accept, block, bucket, made, from }) => ({
      id,
      query,
      ...(accept.length > 0 ? { expect_any: accept } : { expect_none: true }),
      ...(block === undefined ? {} : { expect_block: block }),
      bucket,
      ...(made === undefined ? {} : { made }),
      ...(from === undefined ? {} : { from }),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
