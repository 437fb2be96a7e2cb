import { relative, sep } from "node:path";
import { allWarnings } from "../store/counts.ts";
import { isBelow } from "./about.ts";
import type { Desk } from "./desk.ts";
import { linkMap } from "./graph-links.ts";
import { catchUp, openPatiently } from "./recall.ts";

/** Problems that are told of one note. */
const most = 10;

/**
 * What is wrong with a note that was just written, after the changes on disk are taken in: front matter that cannot be read,
 * and links that name no note. Nothing for a file that is no note, and without an index.
 *
 * @param file an absolute path
 */
export async function check(desk: Desk, file: string): Promise<readonly string[]> {
  const source = desk.sources.find(({ root }) => isBelow(root, file));
  if (source === undefined) return [];
  await catchUp(desk);
  const db = openPatiently(desk);
  if (db === undefined) return [];
  const path = relative(source.root, file).split(sep).join("/");
  const warnings = allWarnings(db).filter((warning) => warning.path === path && warning.vault === source.name);
  const broken = linkMap(db).links.filter(
    ({ from, to }) => to === undefined && from.path === path && from.vault === source.name,
  );
  return [
    ...warnings.map(({ line, message }) => ({ line, message })),
    ...broken.map(({ link }) => ({ line: link.line, message: `no note is called "${link.target}"` })),
  ]
    .sort((a, b) => a.line - b.line)
    .slice(0, most)
    .map(({ line, message }) => `line ${line}: ${message}`);
}
