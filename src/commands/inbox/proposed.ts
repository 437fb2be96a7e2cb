import type { Proposed } from "../../agents/inbox/propose.ts";
import { notice, printable } from "../failure.ts";

/** Says what went into the inbox, and what a person should know before accepting it. */
export function showProposed({ proposal, remarks }: Proposed, json: boolean): void {
  const { text: _, ...rest } = proposal;
  if (json) {
    console.log(JSON.stringify({ ...rest, remarks }));
    return;
  }
  console.log(printable(`proposed: ${proposal.id} (${proposal.path}); gestalt inbox accept ${proposal.id}`));
  for (const { id, title, headings } of proposal.near)
    console.log(printable(`near: ${id}  ${[title, ...headings].filter(Boolean).join(" > ")}`));
  for (const remark of remarks) notice(remark);
}
