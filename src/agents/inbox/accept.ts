import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GestaltError } from "../../errors.ts";
import { look, write } from "../install/files.ts";
import { drop, hashOf, type Proposal } from "./proposal.ts";

/** What accepting did. `backup` holds the note as it was; undefined when there was none. */
export type Accepted = { readonly file: string; readonly backup: string | undefined };

/**
 * Writes a proposal into the notes, with a copy of what stood there, and takes it out of the inbox.
 *
 * @throws GestaltError "usage" when the note is not as it was when this was proposed
 */
export function accept(state: string, proposal: Proposal): Accepted {
  const { id, root, path, base, text } = proposal;
  const { file, real } = look(join(root, path), root);
  const bytes = existsSync(file) ? readFileSync(real) : undefined;
  const current = bytes === undefined ? undefined : hashOf(bytes);
  if (current !== base)
    throw new GestaltError(
      "usage",
      `${path} ${current === undefined ? "is gone" : base === undefined ? "exists by now" : "has changed"}; nothing was written`,
      `gestalt inbox show ${id}, then propose it anew`,
    );
  const backup = bytes === undefined ? undefined : keepCopy(state, proposal, bytes);
  write(real, text);
  drop(state, proposal);
  return { file, backup };
}

function keepCopy(state: string, { id, path }: Proposal, bytes: Uint8Array): string {
  const backup = join(state, "inbox", "backups", `${id}-${path.replaceAll("/", "-").slice(-80)}`);
  write(backup, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), 0o600);
  return backup;
}
