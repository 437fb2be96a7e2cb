import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { unzip } from "../../src/bench/zip.ts";
import { fileWith, folderWith } from "./files.ts";

/** A ZIP archive of these files, by the book: local headers, a directory, an end. */
function zip(files: Readonly<Record<string, Uint8Array>>, method: 0 | 8 = 8): Buffer {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, data] of Object.entries(files)) {
    const packed = method === 8 ? deflateRawSync(data) : Buffer.from(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    const about = Buffer.alloc(46);
    about.writeUInt32LE(0x02014b50, 0);
    about.writeUInt16LE(method, 10);
    about.writeUInt32LE(crc32(data), 16);
    about.writeUInt32LE(packed.length, 20);
    about.writeUInt32LE(data.length, 24);
    about.writeUInt32LE(offset, 42);
    const bytes = Buffer.from(name);
    local.writeUInt16LE(bytes.length, 26);
    about.writeUInt16LE(bytes.length, 28);
    locals.push(local, bytes, packed);
    central.push(about, bytes);
    offset += 30 + bytes.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

describe("an archive", () => {
  test("gives back every file, packed or stored, empty ones and those in folders", async () => {
    const content = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{1,6}\.txt)$/),
      fc.uint8Array({ maxLength: 3000 }),
      { maxKeys: 4 },
    );
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom<(0 | 8)[]>(0, 8), async (files, method) => {
        const folder = folderWith({});
        await unzip(fileWith(zip(files, method)), folder);
        for (const [name, data] of Object.entries(files))
          expect(readFileSync(join(folder, name)).equals(Buffer.from(data))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("whose names lead out of the folder is refused", async () => {
    for (const name of ["../out.txt", "/out.txt", "a/../../out.txt", "..\\out.txt", "c:/out.txt"])
      await expect(unzip(fileWith(zip({ [name]: Buffer.from("x") })), folderWith({}))).rejects.toThrow("leads out");
  });

  test("that is cut off, altered or none is an error", async () => {
    const whole = zip({ "a.txt": Buffer.from("some text, some text, some text") });
    const altered = Buffer.from(whole);
    altered[whole.length - 22 - 46 - 5 + 16]! ^= 1;
    for (const [bytes, problem] of [
      [whole.subarray(0, whole.length - 30), "cut off"],
      [Buffer.from("hello"), "no ZIP archive"],
      [Buffer.alloc(0), "no ZIP archive"],
      [altered, "not what its sum says"],
    ] as const)
      await expect(unzip(fileWith(bytes), folderWith({}))).rejects.toThrow(problem);
  });
});
