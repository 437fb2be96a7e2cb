import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { GestaltError } from "../errors.ts";
import { loadBeir } from "./beir.ts";
import { codeHashes } from "./code.ts";
import { hashOf } from "./datasets.ts";
import { isFields, objectsOf, textOf } from "./json.ts";
import { digest } from "./task.ts";
import { writeWhole } from "./whole.ts";

/** What a data set was when it was sealed, and each time somebody looked at it since. */
export type Seal = {
  readonly dataset: string;
  readonly split: string;
  readonly sealed: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly queries: { readonly count: number; readonly sha256: string };
  readonly documents: number;
  readonly openings: readonly { readonly at: string; readonly reason: string; readonly code: string }[];
};

const fileOf = (seals: string, dataset: string): string => join(seals, `${dataset.replace(/[^\w.-]+/g, "-")}.json`);

/**
 * Writes down what a data set is before anything was measured on it. From then on it is scored only when it was opened.
 *
 * @param seals folder of all seals, part of the checkout
 * @throws GestaltError("usage") when it is sealed already
 */
export function seal(seals: string, dataset: string, dir: string, split: string, at: Date): Seal {
  if (existsSync(fileOf(seals, dataset)))
    throw new GestaltError("usage", `${dataset} is sealed already`, `gestalt bench verify ${dataset}`);
  const made: Seal = { dataset, split, sealed: at.toISOString(), ...contentOf(dir, split), openings: [] };
  mkdirSync(seals, { recursive: true });
  save(seals, made);
  return made;
}

/** Logs an opening. @throws GestaltError("usage") when it is open, unless `again` is set, or no reason is given */
export function open(seals: string, dataset: string, reason: string, again: boolean, at: Date): Seal {
  const held = readSeal(seals, dataset);
  if (reason.trim() === "") throw new GestaltError("usage", "an opening needs a reason", '--reason "…"');
  if (held.openings.length > 0 && !again)
    throw new GestaltError("usage", `${dataset} was opened before: ${held.openings.at(-1)?.reason}`, "--reopen");
  const opened = { ...held, openings: [...held.openings, { at: at.toISOString(), reason, code: digest(codeHashes) }] };
  save(seals, opened);
  return opened;
}

/** What differs from what was sealed, in words; nothing when all is as it was. */
export function verify(seals: string, dataset: string, dir: string): readonly string[] {
  const held = readSeal(seals, dataset);
  const now = contentOf(dir, held.split);
  const hashes = new Map(now.files.map(({ path, sha256 }) => [path, sha256]));
  return [
    ...held.files.flatMap(({ path, sha256 }) => {
      const other = hashes.get(path);
      return other === sha256 ? [] : [other === undefined ? `${path} is gone` : `${path} has changed`];
    }),
    ...now.files
      .filter(({ path }) => !held.files.some((file) => file.path === path))
      .map(({ path }) => `${path} is new`),
    ...(now.queries.sha256 === held.queries.sha256 ? [] : ["other queries are asked"]),
  ];
}

/** @throws GestaltError("usage") for a data set that is sealed and was never opened */
export function refuseSealed(seals: string, dataset: string): void {
  if (!existsSync(fileOf(seals, dataset)) || readSeal(seals, dataset).openings.length > 0) return;
  throw new GestaltError(
    "usage",
    `${dataset} is sealed: nothing may be measured on it yet`,
    `gestalt bench open ${dataset} --reason "…"`,
  );
}

function contentOf(dir: string, split: string): Pick<Seal, "files" | "queries" | "documents"> {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(dir, path)).isFile())
    .sort()
    .map((path) => ({ path: path.replaceAll("\\", "/"), sha256: hashOf(join(dir, path)) }));
  const { queries, corpus } = loadBeir(dir, split);
  const ids = queries.map(({ id }) => id).sort();
  return { files, queries: { count: ids.length, sha256: digest(ids) }, documents: corpus.ids.size };
}

const save = (seals: string, value: Seal): void =>
  writeWhole(fileOf(seals, value.dataset), `${JSON.stringify(value, null, 2)}\n`);

function readSeal(seals: string, dataset: string): Seal {
  const file = fileOf(seals, dataset);
  if (!existsSync(file))
    throw new GestaltError("not-found", `${dataset} is not sealed`, `gestalt bench seal ${dataset}`);
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  const held = isFields(value) ? value : {};
  const queries = isFields(held["queries"]) ? held["queries"] : {};
  return {
    dataset,
    split: textOf(held["split"]),
    sealed: textOf(held["sealed"]),
    files: objectsOf(held["files"]).map((file) => ({ path: textOf(file["path"]), sha256: textOf(file["sha256"]) })),
    queries: { count: Number(queries["count"]), sha256: textOf(queries["sha256"]) },
    documents: Number(held["documents"]),
    openings: objectsOf(held["openings"]).map((opening) => ({
      at: textOf(opening["at"]),
      reason: textOf(opening["reason"]),
      code: textOf(opening["code"]),
    })),
  };
}
