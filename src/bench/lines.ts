import { closeSync, openSync, readSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";

/** A line without its end. `number` is 1-based; `start` and `length` are in bytes of the file. */
export type Line = { readonly number: number; readonly start: number; readonly length: number; readonly text: string };

const LF = 10;
const CR = 13;
const BLOCK = 1 << 20;

/** What is wrong with a data file, in one line that names the place. */
export const badLine = (file: string, number: number, what: string): GestaltError =>
  new GestaltError("bad-dataset", `${file}:${number}: ${what}`, "mend that line, or fetch the data again");

/**
 * The lines of a UTF-8 file that hold more than white space, one at a time: a file of any size needs the memory of its
 * longest line. LF and CRLF end a line, also mixed; a byte order mark is passed over.
 *
 * @throws GestaltError("bad-dataset") when the file cannot be read, or a line is not UTF-8
 */
export function* readLines(file: string): Generator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  for (const { start, bytes } of rawLines(file)) {
    number += 1;
    const text = decode(decoder, bytes, file, number);
    if (text.trim() !== "") yield { number, start, length: bytes.length, text };
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, file: string, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badLine(file, number, "not UTF-8");
  }
}

function* rawLines(file: string): Generator<{ readonly start: number; readonly bytes: Uint8Array }> {
  let pieces: Uint8Array[] = [];
  let start = 0;
  for (const block of readBlocks(file)) {
    let from = 0;
    for (let end = block.indexOf(LF); end !== -1; end = block.indexOf(LF, from)) {
      const whole = joined(pieces, block.subarray(from, end));
      pieces = [];
      yield { start, bytes: withoutReturn(whole) };
      start += whole.length + 1;
      from = end + 1;
    }
    if (from < block.length) pieces.push(block.subarray(from));
  }
  if (pieces.length > 0) yield { start, bytes: withoutReturn(joined(pieces)) };
}

const joined = (pieces: readonly Uint8Array[], last?: Uint8Array): Uint8Array =>
  pieces.length === 0 && last !== undefined ? last : Buffer.concat(last === undefined ? pieces : [...pieces, last]);

const withoutReturn = (line: Uint8Array): Uint8Array => (line.at(-1) === CR ? line.subarray(0, -1) : line);

/** The bytes of a file, a block at a time. Each block is a new one and may be kept. */
export function* readBlocks(file: string): Generator<Uint8Array> {
  const fd = attempt(file, () => openSync(file, "r"));
  try {
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK);
      const read = attempt(file, () => readSync(fd, block, 0, BLOCK, null));
      if (read === 0) return;
      yield block.subarray(0, read);
    }
  } finally {
    closeSync(fd);
  }
}

/** `length` bytes of a file from `start` on; fewer when the file ends before. */
export function readRange(file: string, start: number, length: number): Uint8Array {
  const fd = attempt(file, () => openSync(file, "r"));
  try {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(
      0,
      attempt(file, () => readSync(fd, bytes, 0, length, start)),
    );
  } finally {
    closeSync(fd);
  }
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new GestaltError(
      "bad-dataset",
      `${file} cannot be read: ${messageOf(error)}`,
      "check the path of the data set",
    );
  }
}
