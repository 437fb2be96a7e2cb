import { readFileSync } from "node:fs";
import { GestaltError } from "../errors.ts";
import type { Cutting, NoteSource } from "./source.ts";
import { realPath, reasonOf, sweep } from "./sweep.ts";

/**
 * The Markdown files (`.md`, `.markdown`) of a folder and the folders in it.
 *
 * @param root may itself be a link; its real path is the source's identity
 * @throws GestaltError `no-vault` when there is no such folder
 */
export function folder(name: string, root: string, cutting: Cutting): NoteSource {
  const real = rootOf(root);
  return {
    name,
    root: real,
    sweep: () => sweep(real),
    read: (path) => read(real, path),
    parse(path, bytes) {
      // Loaded late: a search sweeps, and parses only when a note has changed.
      const { parseNote }: typeof import("./parse.ts") = require("./parse.ts");
      return parseNote(path, bytes, cutting);
    },
  };
}

function rootOf(root: string): string {
  try {
    return realPath(root);
  } catch (error) {
    throw new GestaltError("no-vault", `the folder ${root} ${reasonOf(error)}`, "--vault DIR names another", {
      cause: error,
    });
  }
}

function read(root: string, path: string): Uint8Array {
  if (path.startsWith("/") || path.split("/").includes(".."))
    throw new GestaltError("not-found", `${path} is not a path inside the vault`, "give the path as a search shows it");
  try {
    return readFileSync(`${root}/${path}`);
  } catch (error) {
    throw new GestaltError("not-found", `${path} ${reasonOf(error)}`, "gestalt index", { cause: error });
  }
}
