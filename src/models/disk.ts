import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { GestaltError, messageOf } from "../errors.ts";

/** Bytes of a file; undefined when there is none. */
export function sizeOf(path: string): number | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file in hex, read piece by piece. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** The outcome of work on a file; what the disk refuses becomes a GestaltError "io". */
export async function onDisk<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const hint = "free some disk space or choose a folder that you can write, then run it again";
    throw new GestaltError("io", `cannot write ${path}: ${messageOf(error)}`, hint, { cause: error });
  }
}
