import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../engine/open.ts";
import type { Vault } from "../../engine/place.ts";
import { GestaltError } from "../../errors.ts";
import { look } from "../install/files.ts";
import { maskSecrets } from "../secrets.ts";
import { fileNameFor, notePath, noteText } from "./note.ts";
import { hashOf, idOf, keep, type Near, type Proposal } from "./proposal.ts";

/** What somebody wants kept: a new note by its title; or a note by its path, whole, or `text` in the place of `find`. */
export type Draft = {
  readonly title: string | undefined;
  readonly path: string | undefined;
  readonly text: string;
  /** Words of the note as it is now; they must stand in it exactly once. */
  readonly find: string | undefined;
  readonly tags: readonly string[];
  readonly reason: string;
};

/** The proposal, and what a person should look at before accepting it. */
export type Proposed = { readonly proposal: Proposal; readonly remarks: readonly string[] };

const longest = 200_000;
const nearest = 3;

/**
 * Puts a draft into the inbox, with the sections that are nearest to it. No note is touched.
 *
 * @throws GestaltError "usage" when the draft fits no note as it is now, "not-found" when it names none
 */
export async function propose(
  engine: Pick<Engine, "place" | "search">,
  state: string,
  draft: Draft,
  now: Date,
): Promise<Proposed> {
  const { root, path, base, text } = drawn(engine.place.vaults, draft, now);
  const near = await nearTo(engine, draft, path);
  const made = { root, path, base, text, reason: draft.reason.trim(), created: now.toISOString(), near };
  const proposal: Proposal = { id: idOf(made), ...made };
  keep(state, proposal);
  return { proposal, remarks: remarksOn(proposal) };
}

/** What a note will be, as a draft says. */
export function drawn(
  vaults: readonly Vault[],
  draft: Draft,
  now: Date,
): Pick<Proposal, "root" | "path" | "base" | "text"> {
  if (draft.text.length > longest)
    throw new GestaltError(
      "usage",
      `the text has more than ${longest} characters`,
      "one subject a note: make it several",
    );
  const { root, path } = placed(vaults, draft);
  const file = join(root, path);
  const { real } = look(file, root);
  const bytes = existsSync(file) ? readFileSync(real) : undefined;
  if (bytes === undefined) return { root, path, base: undefined, text: newNote(draft, path, now) };
  if (draft.path === undefined)
    throw new GestaltError(
      "usage",
      `a note called ${path} exists`,
      `propose a change of it: path "${path}" with find and text`,
    );
  const text = changed(new TextDecoder().decode(bytes), draft, path);
  return { root, path, base: hashOf(bytes), text };
}

/** `VAULT:path`, or a path in the first vault; without a path one made from the title. */
function placed(vaults: readonly Vault[], { title, path }: Draft): { readonly root: string; readonly path: string } {
  const [first] = vaults;
  if (first === undefined) throw new GestaltError("no-vault", "there are no notes to add to", "--vault FOLDER");
  if (path === undefined) {
    if (title === undefined || title.trim() === "")
      throw new GestaltError(
        "usage",
        "a proposal needs a title, or the path of a note",
        'title "Why the queue uses jitter"',
      );
    return { root: first.root, path: fileNameFor(title) };
  }
  const named = vaults.find(({ name }) => path.startsWith(`${name}:`));
  const plain = named === undefined ? path : path.slice(named.name.length + 1);
  const inVault = notePath(plain);
  const holder = named ?? vaults.find(({ root }) => existsSync(join(root, inVault))) ?? first;
  return { root: holder.root, path: inVault };
}

function newNote({ title, find, tags, text }: Draft, path: string, now: Date): string {
  if (find !== undefined)
    throw new GestaltError(
      "not-found",
      `there is no note ${path} to change`,
      `gestalt search ${path.replace(/^.*\/|\.md$/g, "")}`,
    );
  if (text.trim() === "") throw new GestaltError("usage", "the text is empty", "give the note's text");
  const name = title ?? path.replace(/^.*\/|\.[^.]+$/g, "").replaceAll("-", " ");
  return noteText(name, tags, text, dayOf(now));
}

/** The day where the user is. */
const dayOf = (now: Date): string =>
  [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join("-");

function changed(current: string, { find, text }: Draft, path: string): string {
  if (find === undefined) {
    if (text.trim() === "")
      throw new GestaltError("usage", "the text is empty", "give the whole note, or find and text");
    return `${text.trimEnd()}\n`;
  }
  const parts = current.split(find);
  if (find === "" || parts.length !== 2)
    throw new GestaltError(
      "usage",
      find === "" || parts.length === 1
        ? `the words to find do not stand in ${path}`
        : `the words to find stand in ${path} ${parts.length - 1} times`,
      "read the note, and give more of it in find, word for word",
    );
  return parts.join(text);
}

/** The sections most like the draft: where somebody may have written it already. */
async function nearTo(engine: Pick<Engine, "search">, { title, text }: Draft, path: string): Promise<readonly Near[]> {
  const words = `${title ?? ""} ${text.replace(/^---\n[\s\S]*?\n---\n/, "")}`
    .replace(/[#*`>[\]()"“”-]+/g, " ")
    .replace(/\s+/g, " ");
  const { hits } = await engine.search(words.trim().slice(0, 300) || path, { limit: nearest, mode: "auto" });
  // A restricted note is withheld from agents, its headings too.
  const open = hits.filter(({ sensitivity }) => sensitivity !== "restricted");
  return open.map(({ id, title, headings }) => ({ id, title, headings }));
}

/** What a person should see before accepting: secrets, and a note that has changed since. */
export function remarksOn({ root, path, base, text }: Proposal): readonly string[] {
  const remarks: string[] = [];
  const masked = maskSecrets(text).split("\n");
  const secret = text.split("\n").findIndex((line, i) => line !== masked[i]);
  if (secret >= 0) remarks.push(`line ${secret + 1} looks like a secret`);
  const file = join(root, path);
  const current = existsSync(file) ? hashOf(readFileSync(file)) : undefined;
  if (current !== base) remarks.push(`${path} has changed since this was proposed; it cannot be accepted as it is`);
  return remarks;
}
