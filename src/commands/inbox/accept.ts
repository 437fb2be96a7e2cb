import { messageOf } from "../../errors.ts";
import { stateDir } from "../../settings.ts";
import { command } from "../command.ts";
import { notice, printable } from "../failure.ts";
import { noteKnobs } from "../find-notes.ts";
import { sayWaiting, withNotes } from "../notes.ts";

export default command({
  name: "accept",
  description: "Write a proposal into the notes, with a copy of what stood there, and index it",
  args: {
    id: { kind: "positional", required: true, description: "as gestalt inbox list shows it; its beginning will do" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    const { proposalCalled } = await import("../../agents/inbox/proposal.ts");
    const { accept } = await import("../../agents/inbox/accept.ts");
    const proposal = proposalCalled(stateDir(), args.id);
    const { file, backup } = accept(stateDir(), proposal);
    console.log(printable(`written: ${file}`));
    if (backup !== undefined) console.log(printable(`as it was: ${backup}`));
    // The note's own folder, wherever this is run.
    const vault = flags["vault"]?.length ? flags : { ...flags, vault: [proposal.root] };
    await withNotes(vault, (engine) => engine.index({ onWait: sayWaiting })).catch((error: unknown) =>
      notice(`it is not indexed yet: ${messageOf(error)}`),
    );
  },
});
