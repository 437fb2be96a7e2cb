import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClientName, Scope } from "./clients.ts";
import { write } from "./files.ts";
import type { Extras } from "./manifests.ts";
import type { Addition } from "./record.ts";

/** What was done to one file. `backup` is a file that holds what stood there before; undefined when there was no file. */
export type FileReceipt = {
  readonly file: string;
  readonly kind: "edit" | "whole";
  readonly backup: string | undefined;
  /** SHA-256 of the text that was written, in hex. */
  readonly after: string;
  readonly addition: Addition | undefined;
  /** Folders that were made for the file, outermost first. */
  readonly folders: readonly string[];
};

/** What an installation did, kept so that it can be taken back byte for byte. */
export type Receipt = {
  readonly client: ClientName;
  readonly scope: Scope;
  readonly root: string;
  readonly files: readonly FileReceipt[];
} & Extras;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const nameOf = (client: ClientName, scope: Scope, root: string): string =>
  `${client}-${scope}-${hashOf(root).slice(0, 12)}.json`;

/** The receipt of a client's installation under `root`; undefined when there is none that can be read. */
export function readReceipt(state: string, client: ClientName, scope: Scope, root: string): Receipt | undefined {
  const file = join(state, "install", nameOf(client, scope, root));
  if (!existsSync(file)) return undefined;
  try {
    const receipt: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isReceipt(receipt) ? receipt : undefined;
  } catch {
    // Without a receipt our entries are still known by what they start.
    return undefined;
  }
}

const isReceipt = (value: unknown): value is Receipt =>
  typeof value === "object" &&
  value !== null &&
  "files" in value &&
  Array.isArray(value.files) &&
  value.files.every((file: unknown) => typeof file === "object" && file !== null && "file" in file && "after" in file);

/** Keeps a receipt; one without files is removed. */
export function keepReceipt(state: string, receipt: Receipt): void {
  const file = join(state, "install", nameOf(receipt.client, receipt.scope, receipt.root));
  if (receipt.files.length === 0) rmSync(file, { force: true });
  else write(file, `${JSON.stringify(receipt, null, 2)}\n`, 0o600);
}

/** Keeps what stood in a file; returns where. Settings may hold secrets: nobody else may read the copy. */
export function keepBackup(state: string, file: string, text: string): string {
  const folder = join(state, "install", "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const backup = join(folder, `${hashOf(file).slice(0, 12)}-${hashOf(text).slice(0, 12)}`);
  write(backup, text, 0o600);
  return backup;
}

export function readBackup(backup: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(backup));
  } catch {
    return undefined;
  }
}
