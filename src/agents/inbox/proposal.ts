import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GestaltError } from "../../errors.ts";
import { write } from "../install/files.ts";

/** A section that a proposal is close to. */
export type Near = { readonly id: string; readonly title: string; readonly headings: readonly string[] };

/**
 * A note as somebody wants it to be. `base` is the SHA-256 of the note's bytes when this was proposed, undefined when there
 * was no note; `text` is the whole note as it will be.
 */
export type Proposal = {
  readonly id: string;
  /** The real path of the folder of notes. */
  readonly root: string;
  readonly path: string;
  readonly base: string | undefined;
  readonly text: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly created: string;
  readonly near: readonly Near[];
};

export const hashOf = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const folderOf = (state: string): string => join(state, "inbox");
const fileOf = (state: string, id: string): string => join(folderOf(state), `${id}.json`);

/** An id that sorts by day and stays what it is. */
export const idOf = ({ root, path, text, created }: Omit<Proposal, "id" | "near">): string =>
  `${created.slice(0, 10)}-${hashOf([root, path, text, created].join("\0")).slice(0, 6)}`;

/** Keeps a proposal, for the user alone. */
export const keep = (state: string, proposal: Proposal): void =>
  void write(fileOf(state, proposal.id), `${JSON.stringify(proposal, null, 2)}\n`, 0o600);

export const drop = (state: string, { id }: Proposal): void => rmSync(fileOf(state, id), { force: true });

/** Every proposal that waits, oldest first. A file that is none is passed over. */
export function waiting(state: string): readonly Proposal[] {
  const folder = folderOf(state);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readProposal(join(folder, name)) ?? [])
    .sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1));
}

/**
 * The proposal with this id, or the beginning of one.
 *
 * @throws GestaltError "not-found" when there is none, or more than one
 */
export function proposalCalled(state: string, id: string): Proposal {
  const found = waiting(state).filter((proposal) => id !== "" && proposal.id.startsWith(id));
  const [first] = found;
  if (first !== undefined && (found.length === 1 || first.id === id)) return first;
  throw new GestaltError(
    "not-found",
    first === undefined ? `no proposal is called "${id}"` : `"${id}" fits ${found.length} proposals`,
    "gestalt inbox list",
  );
}

function readProposal(file: string): Proposal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isProposal(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const texts = ["id", "root", "path", "text", "reason", "created"] as const;
const isProposal = (value: unknown): value is Proposal => {
  if (typeof value !== "object" || value === null) return false;
  const held = new Map<string, unknown>(Object.entries(value));
  return texts.every((key) => typeof held.get(key) === "string") && Array.isArray(held.get("near"));
};
