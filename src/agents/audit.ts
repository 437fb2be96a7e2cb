import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isBelow } from "../engine/about.ts";
import type { Vault } from "../engine/place.ts";
import type { HookInput } from "./hooks/input.ts";
import { maskSecrets } from "./secrets.ts";
import { appendLine, hashOf, namesIn, prune, type State } from "./state.ts";
import { toolCallIn } from "./tool-call.ts";

export const auditFolder = ({ folder }: State): string => join(folder, "audit");
export const copiesFolder = ({ folder }: State): string => join(folder, "copies");

const current = "audit.jsonl";
/** Bytes after which a log is put aside, and how many of those are kept. */
const limits = { bytes: 5_000_000, files: 4 };
/** Characters of a command that are kept. */
const longest = 2000;

/**
 * Writes down what an agent is about to run or edit: one line of JSON, secrets masked. A log that is full is renamed, never
 * emptied; of those the newest are kept.
 */
export function record(state: State, input: HookInput, now: Date): void {
  const { tool, line, files, isMcp } = toolCallIn(input.fields);
  if (line === undefined && files.length === 0 && !isMcp) return;
  const folder = auditFolder(state);
  const file = join(folder, current);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= limits.bytes) putAside(folder, file, now);
  appendLine(file, {
    at: now.toISOString(),
    session: input.session,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    tool,
    ...(line === undefined ? {} : { command: maskSecrets(line).slice(0, longest) }),
    ...(files.length === 0 ? {} : { files }),
  });
}

/** Two hooks may do this at once: each renames to a name of its own, so that neither overwrites what the other put aside. */
function putAside(folder: string, file: string, now: Date): void {
  const stamp = now.toISOString().replaceAll(/[:.]/g, "-");
  renameSync(file, join(folder, `audit-${stamp}-${process.pid}.jsonl`));
  const old = namesIn(folder).filter((name) => name.startsWith("audit-"));
  for (const name of old.slice(0, -limits.files)) rmSync(join(folder, name), { force: true });
}

/** Keeps a copy of each note that an agent is about to write, as it is now; the same text once. */
export function keepCopies(
  state: State,
  input: HookInput,
  vaults: readonly Vault[],
  { days, now }: { readonly days: number; readonly now: Date },
): void {
  const folder = copiesFolder(state);
  for (const name of toolCallIn(input.fields).files) {
    const file = resolve(input.cwd ?? ".", name);
    const isNote = /\.(md|markdown)$/i.test(file) && vaults.some(({ root }) => isBelow(root, file));
    if (!isNote || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const end = `-${hashOf(`${file}\n${readFileSync(file, "latin1")}`)}-${basename(file).slice(-80)}`;
    if (namesIn(folder).some((copy) => copy.endsWith(end))) continue;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, `${now.toISOString().replaceAll(/[:.]/g, "-")}${end}`);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
  }
  prune(folder, days, now);
}
