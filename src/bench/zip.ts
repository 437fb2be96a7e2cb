import { createReadStream, createWriteStream, mkdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { hash } from "bun";
import { GestaltError, messageOf } from "../errors.ts";
import { readRange } from "./lines.ts";

/** A file in an archive. Sizes and offset in bytes. */
type Entry = {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
};

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const CENTRAL = 0x02014b50;
/** The end record and the longest comment that may follow it. */
const TAIL = 22 + 65_535;
/** A 32-bit field that says: look in the 64-bit one. */
const ELSEWHERE = 0xffffffff;

/**
 * Unpacks a ZIP archive of any size into a folder, one file at a time, and checks each file's sum.
 *
 * @throws GestaltError("bad-dataset") when it is no whole archive, is packed in another way than deflate, or a name
 *   leads out of the folder
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT 4.3, 4.5.3
 */
export async function unzip(archive: string, folder: string): Promise<void> {
  for (const entry of entriesOf(archive)) {
    const name = normalize(entry.name.replaceAll("\\", "/"));
    if (name.startsWith("..") || name.startsWith("/") || /^[a-z]:/i.test(name))
      throw broken(archive, `${entry.name} leads out of its folder`);
    if (name.endsWith("/")) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await unpack(archive, entry, join(folder, name));
  }
}

async function unpack(archive: string, { name, method, crc, packed, size, offset }: Entry, to: string): Promise<void> {
  const local = view(readRange(archive, offset, 30));
  const start = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (method !== 0 && method !== 8) throw broken(archive, `${name} is packed by method ${method}`);
  let sum = 0;
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      sum = hash.crc32(chunk, sum);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const source = packed === 0 ? Readable.from([]) : createReadStream(archive, { start, end: start + packed - 1 });
  try {
    if (method === 8) await pipeline(source, createInflateRaw(), counted, createWriteStream(to));
    else await pipeline(source, counted, createWriteStream(to));
  } catch (error) {
    throw broken(archive, `${name}: ${messageOf(error)}`);
  }
  if (sum !== crc || bytes !== size) throw broken(archive, `${name} is not what its sum says`);
}

function entriesOf(archive: string): readonly Entry[] {
  const { size } = statSync(archive);
  const from = Math.max(0, size - TAIL);
  const tail = view(readRange(archive, from, size - from));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw broken(archive, "it has no end record: it is cut off, or no ZIP archive");
  const [count, length, start] = directoryOf(archive, tail, end);
  if (start + length > size) throw broken(archive, "it is cut off");
  const directory = view(readRange(archive, start, length));
  const entries: Entry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > length || directory.getUint32(at, true) !== CENTRAL) throw broken(archive, "its directory is broken");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.getUint16(at + field, true));
    entries.push(entryAt(directory, at, nameLength ?? 0, extraLength ?? 0));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

/** How many entries the directory has, its length, and where it starts. */
function directoryOf(archive: string, tail: DataView, end: number): readonly [number, number, number] {
  const small = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ] as const;
  if (end < 20 || tail.getUint32(end - 20, true) !== LOCATOR64) return small;
  const large = view(readRange(archive, Number(tail.getBigUint64(end - 12, true)), 56));
  if (large.getUint32(0, true) !== END64) throw broken(archive, "its 64-bit end record is broken");
  return [
    Number(large.getBigUint64(32, true)),
    Number(large.getBigUint64(40, true)),
    Number(large.getBigUint64(48, true)),
  ];
}

function entryAt(directory: DataView, at: number, nameLength: number, extraLength: number): Entry {
  const bytes = new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength);
  const large = wideFields(directory, at + 46 + nameLength, extraLength);
  // The wide fields hold, in this order, those that do not fit in 32 bits.
  const wide = (field: number): number => {
    const value = directory.getUint32(at + field, true);
    return value === ELSEWHERE ? Number(large.shift() ?? value) : value;
  };
  const size = wide(24);
  const packed = wide(20);
  const offset = wide(42);
  return {
    name: new TextDecoder().decode(bytes),
    method: directory.getUint16(at + 10, true),
    crc: directory.getUint32(at + 16, true),
    packed,
    size,
    offset,
  };
}

function wideFields(directory: DataView, from: number, length: number): bigint[] {
  for (let at = from; at + 4 <= from + length; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== 1) continue;
    const fields = Math.floor(directory.getUint16(at + 2, true) / 8);
    return Array.from({ length: fields }, (_, i) => directory.getBigUint64(at + 4 + 8 * i, true));
  }
  return [];
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const broken = (archive: string, problem: string): GestaltError =>
  new GestaltError("bad-dataset", `${archive} cannot be unpacked: ${problem}`, `remove ${archive}, and fetch it again`);
