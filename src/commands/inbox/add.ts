import { stateDir } from "../../settings.ts";
import { command } from "../command.ts";
import { noteKnobs } from "../find-notes.ts";
import { givenText, tagsIn } from "../given-text.ts";
import { withNotes } from "../notes.ts";
import { showProposed } from "./proposed.ts";

export default command({
  name: "add",
  description: "Propose a note, or a change of one; its text comes from standard input or a file",
  args: {
    title: { kind: "positional", description: "of a new note" },
    path: { kind: "text", description: "of a note to change, or of a new one" },
    find: { kind: "text", description: "words of the note as it is now, to be replaced by the text" },
    from: { kind: "path", description: "a file with the text; - is standard input (so it is unless told)" },
    reason: { kind: "text", description: "why, and from what it is known" },
    tags: { kind: "list", description: "of a new note: a,b; repeatable" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    const { propose } = await import("../../agents/inbox/propose.ts");
    const { title, path, find, reason = "" } = args;
    const text = await givenText(args.from);
    await withNotes(flags, async (engine) => {
      const draft = { title, path, text, find, reason, tags: tagsIn(args.tags) };
      showProposed(await propose(engine, stateDir(), draft, new Date()), args.json);
    });
  },
});
