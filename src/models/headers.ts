import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** SHA-256 of a large file, or git's hash of a small one, as the host states it in its headers. */
export function statedHash(response: Response): string | undefined {
  const tag = response.headers.get("x-linked-etag") ?? response.headers.get("etag") ?? "";
  return /^(?:W\/)?"?([0-9a-f]{64}|[0-9a-f]{40})"?$/.exec(tag)?.[1];
}

/** The name that git gives to a file: what a host states of small files. */
export function gitHash(path: string): string {
  const bytes = readFileSync(path);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** How large the host says a file behind a redirect is, in bytes. */
export const linkedSize = (response: Response): number | undefined => numberOf(response.headers.get("x-linked-size"));

/** The byte at which a partial answer begins. */
const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined;

export const rangeStart = (response: Response): number | undefined =>
  numberOf(/^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1] ?? null);

/** Length of the whole file when this answer begins at `start`. */
export function lengthOf(response: Response, start: number): number | undefined {
  const rest = numberOf(response.headers.get("content-length"));
  return rest === undefined ? undefined : start + rest;
}
