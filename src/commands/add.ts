import { GestaltError } from "../errors.ts";
import { stateDir } from "../settings.ts";
import { command } from "./command.ts";
import { printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { givenText, tagsIn } from "./given-text.ts";
import { showProposed } from "./inbox/proposed.ts";
import { sayWaiting, withNotes } from "./notes.ts";

export default command({
  name: "add",
  description: "Make a well-formed note from a text, and put it into the inbox",
  args: {
    title: { kind: "positional", required: true, description: "what you would type to find the note" },
    tags: { kind: "list", description: "a,b; repeatable" },
    from: { kind: "path", description: "a file with the text; - is standard input (so it is unless told)" },
    inbox: { kind: "boolean", description: "into the inbox (so it is unless --write)" },
    write: { kind: "boolean", description: "into the notes at once, and index it" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    if (args.inbox && args.write)
      throw new GestaltError("usage", "--inbox and --write exclude each other", `gestalt add "${args.title}" --write`);
    const { drawn, propose } = await import("../agents/inbox/propose.ts");
    const text = await givenText(args.from);
    const draft = {
      title: args.title,
      path: undefined,
      text,
      find: undefined,
      reason: "added on the command line",
      tags: tagsIn(args.tags),
    };
    await withNotes(flags, async (engine) => {
      if (!args.write) {
        showProposed(await propose(engine, stateDir(), draft, new Date()), args.json);
        return;
      }
      const { write } = await import("../agents/install/files.ts");
      const note = drawn(engine.place.vaults, draft, new Date());
      const file = `${note.root}/${note.path}`;
      write(file, note.text);
      console.log(args.json ? JSON.stringify({ file, path: note.path }) : printable(`written: ${file}`));
      await engine.index({ onWait: sayWaiting });
    });
  },
});
