import { rmSync } from "node:fs";
import { GestaltError } from "../../errors.ts";
import { look, remove, removeEmpty, write } from "./files.ts";
import { type Change, type Plan, rootOf } from "./plan.ts";
import { type FileReceipt, hashOf, keepBackup, keepReceipt, type Receipt } from "./receipts.ts";

/**
 * Does what a plan says, file by file. Before a file is written what stood there is copied and the receipt is kept, so that
 * a run that is stopped anywhere can be taken back.
 *
 * @throws GestaltError "busy" when a file has changed since the plan was made; it and those after it are left as they are
 */
export function apply(plan: Plan, state: string): void {
  const folders = plan.isRemoval ? plan.changes.flatMap(({ receipt }) => receipt?.folders ?? []) : [];
  let files = plan.receipt?.files ?? [];
  const keep = (next: readonly FileReceipt[]) => {
    files = next;
    const { client, site } = plan;
    const { scope, guard, audit } = site;
    const receipt: Receipt = { client, scope, root: rootOf(client, site), guard, audit, files };
    keepReceipt(state, receipt);
  };
  for (const change of plan.changes) {
    refuseIfChanged(change);
    const { target, after, found } = change;
    const others = files.filter(({ file }) => file !== target.file);
    if (plan.isRemoval) {
      if (after === undefined) remove(found.real);
      else write(found.real, after);
      keep(others);
      if (change.receipt?.backup !== undefined) rmSync(change.receipt.backup, { force: true });
    } else if (after !== undefined) {
      const written = receiptOf(change, after, state);
      keep([...others, written]);
      const made = write(found.real, after);
      keep([...others, { ...written, folders: [...new Set([...written.folders, ...made])] }]);
    }
  }
  removeEmpty(folders);
}

function refuseIfChanged({ target: { file }, found }: Change): void {
  if (look(file).text !== found.text)
    throw new GestaltError("busy", `${file} changed while you were looking; it was left as it is`, "the same again");
}

function receiptOf({ target, base, addition, receipt }: Change, after: string, state: string): FileReceipt {
  return {
    file: target.file,
    kind: target.kind === "edit" ? "edit" : "whole",
    backup: base === undefined ? undefined : keepBackup(state, target.file, base),
    after: hashOf(after),
    addition,
    folders: receipt?.folders ?? [],
  };
}
