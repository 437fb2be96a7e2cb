import { takeFaults } from "../agents/faults.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { hookState } from "./hook/state.ts";
import { withNotes } from "./notes.ts";

export default command({
  name: "status",
  description: "Show what is indexed, how old it is, and what was odd",
  args: { json: { kind: "boolean", description: "one JSON object" } },
  knobs: noteKnobs,
  async run({ args, flags }) {
    await withNotes(flags, async (engine) => {
      const status = await engine.status();
      if (args.json) {
        console.log(JSON.stringify(status));
        return;
      }
      for (const { name, root, notes, excluded, sections, passages } of status.vaults)
        console.log(
          printable(
            `${name}: ${notes} notes, ${sections} sections, ${passages} passages${excluded > 0 ? `, ${excluded} excluded` : ""} (${root})`,
          ),
        );
      console.log(printable(`index: ${status.db}, ${(status.bytes / 1e6).toFixed(1)} MB, ${age(status.indexed)}`));
      console.log(
        printable(`found: ${status.why}; ${status.pending.notes} notes and ${status.pending.passages} vectors pending`),
      );
      console.log(`hooks: ${gates[status.gate]}`);
      for (const { path, reason } of status.skipped) notice(`skipped ${path}: ${reason}`);
      for (const { path, line, message } of status.warnings) notice(`${path}:${line}: ${message}`);
      for (const fault of takeFaults(hookState())) notice(fault);
    });
  },
});

const gates = {
  measured: "everyday prompts were asked of these notes; what fits better is put before an agent",
  due: "everyday prompts are to be asked again, since the notes have changed; it happens by itself at the next session, or: gestalt index",
  never:
    "silent until everyday prompts were asked of these notes, which happens by itself at the next session, or: gestalt index",
} as const;

function age(indexed: string | undefined): string {
  if (indexed === undefined) return "never built";
  const minutes = Math.round((Date.now() - Date.parse(indexed)) / 60_000);
  if (minutes < 1) return "last brought up to date just now";
  const ago =
    minutes < 120
      ? `${minutes} min`
      : minutes < 2880
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1440)} days`;
  return `last brought up to date ${ago} ago`;
}
