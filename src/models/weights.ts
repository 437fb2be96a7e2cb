import { rmSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GestaltError, messageOf } from "../errors.ts";
import { type Entry, filesOf, isBuiltIn } from "./catalogue.ts";
import { hashOf, onDisk, sizeOf } from "./disk.ts";
import { gitHash, lengthOf, linkedSize, rangeStart, statedHash } from "./headers.ts";
import { partOf, settle } from "./installed.ts";
import { folderOf } from "./locate.ts";
import type { Dtype, WeightFile } from "./profile.ts";
import { isPlaced } from "./record.ts";

/** How far a file is. Bytes; `total` is undefined while nobody has said it. */
export type Progress = { readonly path: string; readonly received: number; readonly total: number | undefined };

export type GetOptions = {
  /** The folder of all models. */
  readonly models: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Where repositories are found. */
  readonly host?: string | undefined;
  /** Milliseconds before the first new try; each next waits twice as long. */
  readonly patience?: number | undefined;
  /** Milliseconds without a byte after which a connection counts as broken. */
  readonly stall?: number | undefined;
};

/** New tries after a connection that brought the file no further than any before it. */
const tries = 4;
/** Redirects that are followed. */
const hops = 6;

/**
 * Fetches the files of a model that are not there yet, each to a `.part` file that a later call goes on with. A file takes its
 * place when its SHA-256 is the one its row states; where the row states none, the one that the host gives for the pinned
 * revision. The only place in this room that uses the network.
 *
 * @throws GestaltError "usage" for a variant that the model lacks, "model-missing" when no source is pinned, "download" when
 * it fails or the bytes are not the right ones; the signal's reason when it is aborted
 */
export async function getModel(entry: Entry, dtype: Dtype, options: GetOptions): Promise<void> {
  if (isBuiltIn(entry, dtype)) return;
  const { repository, revision, note, variants } = entry.weights;
  const files = filesOf(entry, dtype);
  if (files === undefined)
    throw new GestaltError("usage", `${entry.id} has no ${dtype}`, `one of ${Object.keys(variants).join(", ")}`);
  if (revision === null)
    throw new GestaltError(
      "model-missing",
      `${entry.id} has no public source that could be pinned${note === undefined ? "" : `: ${note}`}`,
      `gestalt model import ${entry.id} FOLDER`,
    );
  const folder = folderOf(options.models, entry);
  for (const file of files) {
    if (isPlaced(folder, file.path)) continue;
    const url = `${options.host ?? "https://huggingface.co"}/${repository}/resolve/${revision}/${file.path}`;
    const part = partOf(join(folder, file.path));
    await onDisk(part, () => mkdir(dirname(part), { recursive: true }));
    const begun = got(part) > 0;
    const expected = await fetchAll(url, file, part, options);
    let sha256 = await check(part, file, expected);
    if (sha256 === undefined && begun) {
      // What lay there may have been the beginning of something else.
      sha256 = await check(part, file, await fetchAll(url, file, part, options));
    }
    if (sha256 === undefined) throw failed(url, `it sent other bytes than ${file.sha256 ?? expected}`);
    await settle(folder, file, part, sha256);
  }
}

/** The SHA-256 of a whole file when it is the right one. Else the file is deleted. */
async function check(part: string, file: WeightFile, fromHost: string | undefined): Promise<string | undefined> {
  const sha256 = await hashOf(part);
  const expected = file.sha256 ?? fromHost;
  const right = expected?.length === 40 ? gitHash(part) === expected : sha256 === expected;
  if (right) return sha256;
  rmSync(part, { force: true });
  return undefined;
}

/** Completes the part file, with new tries while the host can be hoped to do better. Returns the hash that the host states. */
export async function fetchAll(
  url: string,
  file: WeightFile,
  part: string,
  options: Omit<GetOptions, "models">,
): Promise<string | undefined> {
  let [fruitless, furthest, wait] = [0, got(part), options.patience ?? 500];
  for (;;) {
    try {
      return await fetchRest(url, file, part, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof GestaltError) throw error;
      fruitless = got(part) > furthest ? 0 : fruitless + 1;
      furthest = Math.max(furthest, got(part));
      if (fruitless > tries) throw failed(url, messageOf(error), error);
      await Bun.sleep(wait);
      wait *= 2;
    }
  }
}

/** One connection: asks for what is missing, and writes it down as it comes. */
async function fetchRest(
  url: string,
  file: WeightFile,
  part: string,
  options: Omit<GetOptions, "models">,
): Promise<string | undefined> {
  const have = got(part);
  const stalled = new AbortController();
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(new Error("no byte came for too long")), options.stall ?? 60_000);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  touch();
  try {
    const signal = AbortSignal.any([stalled.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const { response, hash, size } = await follow(url, have, signal);
    const resumed = response.status === 206 && rangeStart(response) === have;
    const start = resumed ? have : 0;
    const total = file.bytes ?? size ?? lengthOf(response, start);
    if (file.sha256 === null && hash === undefined) throw failed(url, "neither its row nor the host states a hash");
    if (response.status === 416 || (response.status === 206 && !resumed)) {
      // Nothing is missing, or the host means another part: the hash will tell, or the next try starts anew.
      if (have === total) return hash;
      rmSync(part, { force: true });
      throw new Error("the host cannot go on from there");
    }
    await write(response, part, start, total, (received) => {
      touch();
      options.onProgress?.({ path: file.path, received, total });
    });
    if (total !== undefined && got(part) < total)
      throw new Error(`the connection ended after ${got(part)} of ${total} bytes`);
    return hash;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for the file from byte `have` on and follows where it is sent, never from https to http. */
async function follow(url: string, have: number, signal: AbortSignal) {
  let at = new URL(url);
  let hash: string | undefined;
  let size: number | undefined;
  for (let hop = 0; hop < hops; hop++) {
    const headers = { "Accept-Encoding": "identity", ...(have > 0 ? { Range: `bytes=${have}-` } : {}) };
    const response = await fetch(at, { headers, redirect: "manual", signal });
    // Only the first host is believed: it is the one that knows the revision.
    if (hop === 0) {
      hash = statedHash(response);
      size = linkedSize(response);
    }
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) {
      if (response.ok || response.status === 416) return { response, hash, size };
      const problem = `it answers ${response.status} ${response.statusText}`.trim();
      throw response.status >= 500 || response.status === 429 ? new Error(problem) : failed(url, problem);
    }
    await response.body?.cancel();
    const next = new URL(location, at);
    if (at.protocol === "https:" && next.protocol !== "https:") throw failed(url, `it sends us to ${next.protocol}`);
    at = next;
  }
  throw failed(url, `it sends us on more than ${hops} times`);
}

/** Writes a body to the part file from `start` on. Stops when more comes than there can be. */
async function write(
  response: Response,
  part: string,
  start: number,
  total: number | undefined,
  onBytes: (received: number) => void,
) {
  const file = await onDisk(part, () => open(part, start > 0 ? "a" : "w"));
  let received = start;
  try {
    for await (const piece of response.body ?? []) {
      if (total !== undefined && received + piece.length > total)
        throw failed(response.url, `it sends more than ${total} bytes`);
      await onDisk(part, () => file.appendFile(piece));
      received += piece.length;
      onBytes(received);
    }
  } finally {
    await file.close();
  }
}

/** Bytes of a file that are there already. */
const got = (part: string): number => sizeOf(part) ?? 0;

const failed = (url: string, problem: string, cause?: unknown): GestaltError =>
  new GestaltError("download", `cannot get ${url}: ${problem}`, "run it again: it goes on where it was", { cause });
