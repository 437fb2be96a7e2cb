import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fetchFile } from "../engine/models.ts";
import { GestaltError } from "../errors.ts";
import { type DatasetRow, hashOf } from "./datasets.ts";
import { isFields } from "./json.ts";
import { writeWhole } from "./whole.ts";
import { unzip } from "./zip.ts";

export type FetchOptions = {
  readonly onProgress?: (received: number, total: number | undefined) => void;
};

/**
 * Fetches a data set into `folder/NAME`, going on where a run before was cut off.
 *
 * An archive whose hash the row does not state is taken as it comes the first time, and its hash is kept in
 * `folder/hashes.json`: another archive under the same name is refused from then on.
 *
 * @throws GestaltError("download") when it cannot be had, "bad-dataset" when it is not what was published, or broken
 */
export async function fetchDataset(row: DatasetRow, folder: string, { onProgress }: FetchOptions = {}): Promise<void> {
  const { name, url, bytes, form } = row;
  if (url === null) throw new GestaltError("not-found", `${name} has no public source`, "--data DIR");
  const part = join(folder, `${name}.part`);
  mkdirSync(folder, { recursive: true });
  await fetchFile(url, part, bytes, ({ received, total }) => onProgress?.(received, total));
  check(row, part, join(folder, "hashes.json"));
  const fresh = join(folder, `${name}.fresh`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  if (form === "beir") await unzip(part, fresh);
  else renameSync(part, join(fresh, basename(new URL(url).pathname)));
  // BEIR's archives hold one folder, named as the set is.
  const inside = existsSync(join(fresh, name)) ? join(fresh, name) : fresh;
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  renameSync(inside, join(folder, name));
  for (const path of [fresh, part]) rmSync(path, { recursive: true, force: true });
}

function check({ name, sha256 }: DatasetRow, file: string, ledger: string): void {
  const held: unknown = existsSync(ledger) ? JSON.parse(readFileSync(ledger, "utf8")) : {};
  const known = isFields(held) ? held : {};
  const expected = sha256 ?? known[name];
  const found = hashOf(file);
  if (expected === undefined) writeWhole(ledger, `${JSON.stringify({ ...known, [name]: found }, null, 2)}\n`);
  else if (expected !== found) {
    rmSync(file);
    throw new GestaltError(
      "bad-dataset",
      `what came for ${name} is not what was published: its SHA-256 is ${found}`,
      "fetch it again",
    );
  }
}
