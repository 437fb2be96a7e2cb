import { createTwoFilesPatch } from "diff";
import { clients } from "./clients.ts";
import { eventsOf, manifests } from "./manifests.ts";
import type { Change, Plan } from "./plan.ts";

/** What a hook does, as a person should know before it is installed. */
type Deed = { readonly does: string; readonly reads: string; readonly stores: string };

/** By event. Every event of the manifests has a row. */
export const deeds: Readonly<Record<string, Deed>> = {
  "session-start": {
    does: "names the notes that fit the project",
    reads: "folder, branch, recent files, README",
    stores: "what it named",
  },
  prompt: {
    does: "adds the sections of your notes that fit a prompt; else nothing",
    reads: "the prompt",
    stores: "which sections, not the prompt",
  },
  subagent: { does: "adds pointers to notes to a subagent's task", reads: "the task's text", stores: "which sections" },
  file: { does: "adds notes that name a file just read or edited", reads: "the file's path", stores: "which sections" },
  "post-tool": {
    does: "adds notes that name a file just read or written",
    reads: "the file's path",
    stores: "which sections",
  },
  compacted: { does: "forgets what it put in before the compaction", reads: "the session's id", stores: "nothing new" },
  stop: {
    does: "notes what was asked, done and left open, 2,000 characters at most",
    reads: "the transcript",
    stores: "that extract, secrets masked, 30 days",
  },
  "session-end": { does: "finishes that extract", reads: "the transcript", stores: "the same extract" },
  guard: {
    does: "refuses or asks before what cannot be undone",
    reads: "the command, path or query",
    stores: "nothing",
  },
  audit: {
    does: "nothing until audit-log or edit-backup is on (gestalt settings)",
    reads: "the command or path",
    stores: "commands, secrets masked; copies of notes before an edit, 30 days",
  },
};

/** The screen that stands before the first question: what each hook does, reads, stores, and what never happens. */
export function explanation({ client, site }: Plan): readonly string[] {
  const manifest = client === "vscode" ? undefined : manifests[client];
  const events = manifest === undefined ? [] : eventsOf(manifest, site);
  const rows = events.map((event) => [event, deeds[event]] as const);
  const hooks = rows.flatMap(([event, deed]) =>
    deed === undefined
      ? []
      : [`  ${event.padEnd(14)}${deed.does}`, `  ${"".padEnd(14)}reads ${deed.reads}; stores ${deed.stores}`],
  );
  return [
    `${clients[client].title} will start ${site.program} on this machine:`,
    ...hooks,
    `  ${"mcp".padEnd(14)}lets the agent search and read your notes, and propose changes to an inbox`,
    "Nothing is sent anywhere: no hook and no server opens a connection to the internet, and none writes into your notes.",
    "What they store lies in your own state folder. A hook that fails stays silent and stops nothing.",
  ];
}

/** A plan as unified diffs, files that are ours as a whole in a line. */
export const diffs = (plan: Plan): readonly string[] => plan.changes.map(diffOf);

function diffOf({ target, found, after }: Change): string {
  const before = found.text;
  if (target.kind !== "edit" && (before === undefined || after === undefined)) {
    const lines = (after ?? before ?? "").split("\n").length - 1;
    return `${after === undefined ? "- remove" : "+ new"} ${target.what} ${target.file} (${lines} lines)`;
  }
  const place = found.linked ? `${target.file} (a link to ${found.real})` : target.file;
  const patch = createTwoFilesPatch(
    before === undefined ? "/dev/null" : place,
    after === undefined ? "/dev/null" : place,
    before ?? "",
    after ?? "",
    "",
    "",
    { context: 2 },
  );
  return patch.slice(patch.indexOf("--- ")).replaceAll("\t", "  ").trimEnd();
}
