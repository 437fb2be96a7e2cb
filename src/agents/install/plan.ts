import { readFileSync } from "node:fs";
import { GestaltError } from "../../errors.ts";
import { type Client, type ClientName, clients, type Site, type Target } from "./clients.ts";
import { type Found, look } from "./files.ts";
import { type FileReceipt, hashOf, type Receipt, readBackup, readReceipt } from "./receipts.ts";
import type { Addition, Editor } from "./record.ts";

/** One file that will be written, or removed when `after` is undefined. `base` is what it is without our entries. */
export type Change = {
  readonly target: Target;
  readonly found: Found;
  readonly base: string | undefined;
  readonly after: string | undefined;
  readonly addition: Addition | undefined;
  readonly receipt: FileReceipt | undefined;
};

/** What will happen, before anything does. `kept` and `problems` are files that stay as they are, and why. */
export type Plan = {
  readonly isRemoval: boolean;
  readonly client: ClientName;
  readonly site: Site;
  readonly receipt: Receipt | undefined;
  readonly changes: readonly Change[];
  readonly unchanged: readonly string[];
  readonly kept: readonly { readonly file: string; readonly why: string }[];
  readonly problems: readonly { readonly file: string; readonly why: string; readonly hint: string }[];
};

/** The folder that an installation belongs to: another settings folder of the same user is another installation. */
export const rootOf = (client: ClientName, site: Site): string =>
  site.scope === "user" ? clients[client].folder(site) : site.project;

type Outcome = Change | { readonly kept: string } | undefined;

/** Looks at every file of a client and works out what installing would change. Writes nothing. */
export function planInstall(client: ClientName, site: Site, state: string): Plan {
  const receipt = readReceipt(state, client, site.scope, rootOf(client, site));
  // A guard or an audit that is there stays: a second run without the flag is not a wish to drop it.
  const wanted = {
    ...site,
    guard: site.guard || (receipt?.guard ?? false),
    audit: site.audit || (receipt?.audit ?? false),
  };
  return plan(false, client, wanted, receipt, (target, found, known) =>
    target.kind === "edit"
      ? installEdit(target, found, known)
      : target.kind === "whole"
        ? installWhole(target, found, known)
        : uninstallWhole(target, found, known),
  );
}

/** The same for taking everything out again. */
export function planUninstall(client: ClientName, site: Site, state: string): Plan {
  const receipt = readReceipt(state, client, site.scope, rootOf(client, site));
  return plan(true, client, site, receipt, (target, found, known) =>
    target.kind === "edit" ? uninstallEdit(target, found, known) : uninstallWhole(target, found, known),
  );
}

function plan(
  isRemoval: boolean,
  name: ClientName,
  site: Site,
  receipt: Receipt | undefined,
  decide: (target: Target, found: Found, known: FileReceipt | undefined) => Outcome,
): Plan {
  const client: Client = clients[name];
  const targets = client.targets(site);
  const changes: Change[] = [];
  const unchanged: string[] = [];
  const kept: { file: string; why: string }[] = [];
  const problems: { file: string; why: string; hint: string }[] = [];
  for (const target of [...targets, ...formerTargets(targets, receipt)]) {
    const { file } = target;
    const known = receipt?.files.find((entry) => entry.file === file);
    try {
      const found = look(file, site.scope === "project" ? site.project : undefined);
      const outcome = decide(target, found, known);
      if (outcome === undefined) unchanged.push(file);
      else if ("kept" in outcome) kept.push({ file, why: outcome.kept });
      else changes.push(outcome);
    } catch (error) {
      if (!(error instanceof GestaltError)) throw error;
      if (isRemoval && known === undefined && !mentionsUs(file)) continue;
      problems.push({ file, why: error.message.replace(`${file} `, ""), hint: error.hint });
    }
  }
  return { isRemoval, client: name, site, receipt, changes, unchanged, kept, problems };
}

/** Files that another version put there and that this one does not have. Nobody edited them: they go either way. */
const formerTargets = (targets: readonly Target[], receipt: Receipt | undefined): readonly Target[] =>
  (receipt?.files ?? [])
    .filter(({ file, kind }) => kind === "whole" && targets.every((target) => target.file !== file))
    .map(({ file }) => ({ kind: "former", what: "file", file }));

/** Whether there is anything to look for in a file that cannot be taken apart. */
function mentionsUs(file: string): boolean {
  try {
    return readFileSync(file).includes("gestalt");
  } catch {
    return false;
  }
}

/** As it was left by the last run: nobody has edited it since. */
const isAsLeft = (text: string | undefined, known: FileReceipt | undefined): known is FileReceipt =>
  text !== undefined && known !== undefined && hashOf(text) === known.after;

/** A byte order mark is no part of what an editor sees, and stays. */
const mark = (text: string): string => (text.startsWith("\ufeff") ? "\ufeff" : "");
const bare = (text: string): string => text.slice(mark(text).length);
const removed = (editor: Editor, text: string, addition: Addition | undefined): string =>
  mark(text) + editor.remove(bare(text), addition);

function installEdit(target: Extract<Target, { kind: "edit" }>, found: Found, known: FileReceipt | undefined): Outcome {
  const { editor } = target;
  const { text } = found;
  if (text !== undefined && editor.has(bare(text))) return undefined;
  const base = baseOf(editor, text, known);
  const { text: now, addition } = editor.add(bare(base ?? ""));
  const after = mark(base ?? "") + now;
  return after === text ? undefined : { target, found, base, after, addition, receipt: known };
}

/** The file without our entries: what stood there before, if nobody has edited it since. */
function baseOf(editor: Editor, text: string | undefined, known: FileReceipt | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isAsLeft(text, known)) {
    if (known.backup === undefined) return undefined;
    const before = readBackup(known.backup);
    if (before !== undefined) return before;
  }
  return removed(editor, text, known?.addition);
}

function installWhole(
  target: Extract<Target, { kind: "whole" }>,
  found: Found,
  known: FileReceipt | undefined,
): Outcome {
  const { text } = found;
  if (text === target.text) return undefined;
  if (found.linked) return { kept: "it is a link; ours would be written somewhere else" };
  if (text !== undefined && !isAsLeft(text, known))
    return { kept: known === undefined ? "a file of that name is there already" : "it was edited" };
  return { target, found, base: undefined, after: target.text, addition: undefined, receipt: known };
}

function uninstallEdit(
  target: Extract<Target, { kind: "edit" }>,
  found: Found,
  known: FileReceipt | undefined,
): Outcome {
  const { text } = found;
  if (text === undefined) return undefined;
  const base = baseOf(target.editor, text, known);
  // What is left of a file that we made, and that holds nothing by now, is ours too.
  const empty = known !== undefined && known.backup === undefined && base?.trim() === "";
  const after = empty ? undefined : base;
  return after === text ? undefined : { target, found, base, after, addition: undefined, receipt: known };
}

function uninstallWhole(
  target: Exclude<Target, { kind: "edit" }>,
  found: Found,
  known: FileReceipt | undefined,
): Outcome {
  const { text } = found;
  if (text === undefined) return undefined;
  if (isAsLeft(text, known) || (target.kind === "whole" && text === target.text))
    return { target, found, base: undefined, after: undefined, addition: undefined, receipt: known };
  return known === undefined ? undefined : { kept: "it was edited" };
}
