import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { NativeFile, NativeSet } from "./embedded.ts";
import { GestaltError, messageOf } from "./errors.ts";
import { cacheDir } from "./settings.ts";

const seal = "verified.json";

/**
 * The path of the first file of an embedded set on disk, its companions beside it.
 *
 * The files are unpacked once, into `native/<hash of the set>` in the cache folder, each by a temporary name
 * and a rename, so that starting processes and other versions cannot harm each other. Every byte is hashed when it is
 * unpacked, and again whenever a file's size, times or inode are no longer those noted then; else a start costs a few
 * stats. A folder that is not ours alone is not used: a folder of this user under the system's temporary folder is, and
 * then one made for this process.
 *
 * @throws GestaltError "io" when it cannot be written anywhere
 */
export function unpacked(set: NativeSet): string {
  const places = [cacheDir, () => join(temporaryFolder(), `gestalt-${process.getuid?.() ?? "user"}`)];
  for (const place of places) {
    const folder = join(place(), "native", set.hash);
    try {
      if (!isSealed(folder, set)) unpack(folder, set);
      return join(folder, set.files[0].name);
    } catch {
      // Read-only, full, or somebody else's: the next place may do.
    }
  }
  return unpackForThisProcess(set);
}

function temporaryFolder(): string {
  // Loaded late: where all is well nobody asks.
  const { tmpdir }: typeof import("node:os") = require("node:os");
  return tmpdir();
}

/** What the disk says of each file, as text. Throws when one is not a plain file of this user that only they can write. */
function fingerprint(folder: string, set: NativeSet): string {
  ownedByUs(folder, "directory");
  return JSON.stringify(
    set.files.map(({ name }) => {
      const { size, mtimeMs, ctimeMs, ino } = ownedByUs(join(folder, name), "file");
      return [name, size, mtimeMs, ctimeMs, ino];
    }),
  );
}

function ownedByUs(path: string, kind: "file" | "directory") {
  const stat = lstatSync(path);
  const right = kind === "file" ? stat.isFile() : stat.isDirectory();
  // Windows has neither a user number nor these bits; its cache folder is private by its access list.
  const ours = process.platform === "win32" || (stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0);
  if (!right || !ours) throw new Error(`${path} is not a ${kind} that only this user can write`);
  return stat;
}

function isSealed(folder: string, set: NativeSet): boolean {
  try {
    return readFileSync(join(folder, seal), "utf8") === fingerprint(folder, set);
  } catch {
    return false;
  }
}

/** Makes every file of the set what it should be, then notes what the disk says of them. */
function unpack(folder: string, set: NativeSet): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (uid === process.getuid?.()) chmodSync(folder, 0o700);
  ownedByUs(folder, "directory");
  for (const file of set.files)
    if (!isGood(join(folder, file.name), file)) {
      place(folder, file.name, () => Bun.zstdDecompressSync(readFileSync(file.from)));
      // Else the copies of all files would be in memory at once.
      Bun.gc(true);
    }
  for (const file of set.files)
    if (!isGood(join(folder, file.name), file))
      throw new Error(`${join(folder, file.name)} was not written as it should be`);
  place(folder, seal, () => Buffer.from(fingerprint(folder, set)));
}

function isGood(path: string, { size, sha256 }: NativeFile): boolean {
  try {
    return ownedByUs(path, "file").size === size && hashOf(path) === sha256;
  } catch {
    return false;
  }
}

/** SHA-256 of a file in hex, read piece by piece: it may be larger than what else this process holds. */
function hashOf(path: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  const piece = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

function place(folder: string, name: string, bytes: () => Uint8Array): void {
  const temporary = join(folder, `.${name}.${crypto.randomUUID()}`);
  try {
    const file = openSync(temporary, "wx", 0o700);
    try {
      writeFileSync(file, bytes());
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    // Windows does not replace a loaded library. Whether the one in place will do is looked at next.
    if (process.platform !== "win32") throw error;
  }
}

function unpackForThisProcess(set: NativeSet): string {
  try {
    const folder = mkdtempSync(join(temporaryFolder(), "gestalt-native-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    unpack(folder, set);
    return join(folder, set.files[0].name);
  } catch (error) {
    throw new GestaltError(
      "io",
      `cannot unpack ${set.files[0].name}: ${messageOf(error)}`,
      "set XDG_CACHE_HOME or TMPDIR to a folder that you can write and that has 60 MB free",
      { cause: error },
    );
  }
}
