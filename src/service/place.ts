import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexSchema } from "../engine/alone.ts";
import { stateDir } from "../settings.ts";
import type { Identity } from "./protocol.ts";

/** Where the user's one process is met. */
export type Meeting = {
  /** For the user alone. */
  readonly folder: string;
  /** A Unix socket, on Windows a named pipe. */
  readonly socket: string;
  /** Held by the process that serves. */
  readonly lock: string;
  /** Touched by whoever has just started one, so that a crowd starts it once. */
  readonly started: string;
};

/** Bytes that every system takes as the path of a socket. */
const longest = 100;

export function meetingAt(folder: string = join(stateDir(), "serve")): Meeting {
  const inFolder = join(folder, "socket");
  const name = new Bun.CryptoHasher("sha256").update(folder).digest("hex").slice(0, 16);
  const short = join(tmpdir(), `gestalt-${name}`, "socket");
  const socket =
    process.platform === "win32"
      ? `\\\\.\\pipe\\gestalt-${name}`
      : Buffer.byteLength(inFolder) <= longest
        ? inFolder
        : short;
  return { folder, socket, lock: join(folder, "serve"), started: join(folder, "started") };
}

/** Makes the folders of a meeting place, and says whether they are the user's alone: else nobody is met there. */
export function isPrivate({ folder, socket }: Meeting): boolean {
  if (process.platform === "win32") {
    mkdirSync(folder, { recursive: true });
    return true;
  }
  return [folder, join(socket, "..")].every((path) => {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      const stat = lstatSync(path);
      if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
      if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
      return true;
    } catch {
      return false;
    }
  });
}

/** Who this program is. `build` is when its file was written: of two builds of one version the later replaces the other. */
export function identity(version: string, program: string): Identity {
  const build = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return { protocol: 1, version, schema: indexSchema, build };
}
