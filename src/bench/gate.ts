import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import expected from "../../bench/expected.json" with { type: "json" };
import released from "../../bench/released-systems.json" with { type: "json" };
import { GestaltError, messageOf } from "../errors.ts";
import { codeHashes } from "./code.ts";
import { type Fields, isFields } from "./json.ts";

/** A number in prose that no stored result holds, and where it stands. `line` is 1-based. */
export type Stray = { readonly file: string; readonly line: number; readonly number: string };

/** A stored result that was measured with other code than this program has. `rooms` are those that differ. */
export type Stale = { readonly file: string; readonly rooms: readonly string[] };

/** A score as people write one: 0.682, 0.6824. Other numbers mean other things. */
const scoreLike = /(?<![\d.])0\.\d{3,4}(?!\d|\.\d)/g;

/**
 * A passage of prose about numbers that nobody stands by, with its reason: `<!-- scratch: why -->` … `<!-- /scratch -->`.
 * Its line breaks stay, so that lines count.
 */
const scratch = /<!-- scratch: (?!--)\S[\s\S]*?<!-- \/scratch -->/g;
const withoutScratch = (text: string): string => text.replace(scratch, (held) => held.replace(/[^\n]/g, ""));

/**
 * Looks for scores in the README and the notes of a checkout that nobody can check, and for results that were measured
 * with other code.
 *
 * @param root of the checkout
 * @throws GestaltError("not-found") when there is no README or no stored result, "bad-dataset" for a result that is broken
 */
export function inspect(root: string): { readonly strays: readonly Stray[]; readonly stale: readonly Stale[] } {
  const results = storedResults(join(root, "bench", "results"));
  const known = numbersIn([...results.map(({ value }) => value), expected, released]);
  const strays = proseOf(root).flatMap((file) =>
    withoutScratch(readFileSync(join(root, file), "utf8"))
      .split("\n")
      .flatMap((text, i) =>
        [...text.matchAll(scoreLike)]
          .filter(([number]) => !isKnown(number, known))
          .map(([number]) => ({ file, line: i + 1, number })),
      ),
  );
  return { strays, stale: results.flatMap(staleIn) };
}

function storedResults(folder: string): readonly { readonly file: string; readonly value: Fields }[] {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"))
    : [];
  if (files.length === 0)
    throw new GestaltError("not-found", `${folder} holds no result`, "gestalt bench … --out bench/results");
  return files.sort().map((file) => ({ file, value: parsed(join(folder, file)) }));
}

function parsed(file: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isFields(value)) return value;
  } catch (error) {
    throw new GestaltError("bad-dataset", `${file} cannot be read: ${messageOf(error)}`, "measure it again");
  }
  throw new GestaltError("bad-dataset", `${file} is no result`, "measure it again");
}

function staleIn({ file, value: { code } }: { file: string; value: Fields }): readonly Stale[] {
  if (!isFields(code)) return [];
  const rooms = Object.keys(codeHashes).filter((room) => code[room] !== codeHashes[room]);
  return rooms.length === 0 ? [] : [{ file, rooms }];
}

/** The README and the notes of a checkout, relative to its root. @throws GestaltError("not-found") without a README */
export function proseOf(root: string): readonly string[] {
  if (!existsSync(join(root, "README.md")))
    throw new GestaltError("not-found", `${root} is no checkout: it has no README.md`, "cd to the checkout");
  const notes = readdirSync(join(root, "knowledge"), { recursive: true, encoding: "utf8" });
  return ["README.md", ...notes.filter((file) => file.endsWith(".md")).map((file) => join("knowledge", file))];
}

/** All numbers of a JSON value, but for single queries' scores: those would vouch for anything. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, held]) => (key === "values" ? [] : numbersIn(held)));
}

const isKnown = (written: string, known: readonly number[]): boolean =>
  known.some((number) => Math.abs(number).toFixed(written.length - 2) === written);
