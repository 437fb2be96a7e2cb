import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { GestaltError, messageOf } from "../../errors.ts";

/** A file somebody else owns, as it is now. `text` is undefined when there is none. `real` is where its bytes are. */
export type Found = {
  readonly file: string;
  readonly real: string;
  readonly text: string | undefined;
  readonly linked: boolean;
};

const refusal = (file: string, why: string, hint: string): GestaltError =>
  new GestaltError("usage", `${file} ${why}`, hint);

/**
 * Looks at a file; follows a link to it.
 *
 * @param inside the folder that the file's real place must be in, when there is such a rule
 * @throws GestaltError "usage" when it is no file, leads nowhere or outside, cannot be read or written, or is not UTF-8
 */
export function look(file: string, inside?: string): Found {
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (link && !existsSync(file)) throw refusal(file, "is a link that leads nowhere", `remove the link ${file}`);
  const real = existsSync(file) ? realpathSync(file) : join(realFolder(dirname(file)), basename(file));
  if (inside !== undefined && !isInside(real, realFolder(inside)))
    throw refusal(file, `leads out of ${inside}, to ${real}`, "put a file or folder in the link's place");
  if (!existsSync(file)) return { file, real, text: undefined, linked: link };
  const stat = statSync(real);
  if (!stat.isFile()) throw refusal(file, "is not a file", `move ${file} away`);
  if ((stat.mode & 0o222) === 0) throw refusal(file, "is read-only", `make it writable: chmod u+w ${file}`);
  return { file, real, text: readText(real, file), linked: real !== file && link };
}

function readText(real: string, file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(real);
  } catch (error) {
    throw refusal(file, `cannot be read: ${messageOf(error)}`, "check its rights");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(file, "is not UTF-8 text", "save it as UTF-8, then run this again");
  }
}

/** The real path of the nearest folder that exists, with the rest as written. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const above = dirname(folder);
  return above === folder ? folder : join(realFolder(above), basename(folder));
}

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
};

/**
 * Replaces a file's text in one step, keeping its mode; makes the folders it lacks.
 *
 * @returns the folders that were made, outermost first
 */
export function write(real: string, text: string, mode = 0o644): readonly string[] {
  const folders = makeFolders(dirname(real));
  const before = statSync(real, { throwIfNoEntry: false });
  // A second name for the same bytes must go on seeing them.
  if (before !== undefined && before.nlink > 1) {
    writeFileSync(real, text);
    return folders;
  }
  const fresh = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
  try {
    const handle = openSync(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chmodSync(fresh, (before?.mode ?? mode) & 0o7777);
    renameSync(fresh, real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new GestaltError("io", `${real} cannot be written: ${messageOf(error)}`, "check the folder's rights", {
      cause: error,
    });
  }
  return folders;
}

function makeFolders(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder))
      throw new GestaltError("io", `${folder} cannot be made: ${messageOf(error)}`, "check the folder's rights");
  }
  return [...above, folder];
}

export const remove = (real: string): void => rmSync(real, { force: true });

/** Removes those of the folders that are empty, inner ones first. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else keeps something there.
    }
  }
}
