import { GestaltError } from "../../errors.ts";
import { stateDir } from "../../settings.ts";
import { type Notes, tool } from "./tool.ts";

export const inboxAdd = tool({
  name: "gestalt_inbox_add",
  title: "Propose a note",
  description:
    "Propose a note, or a change of one, to the user's inbox; the user decides. Search first. New: title and text. Change: " +
    "path, find (words of it now, once in it), text in their place; without find, text is all of it.",
  writes: true,
  args: {
    title: { kind: "text", description: "of a new one" },
    path: { kind: "text", description: "of it" },
    text: { kind: "text", required: true, description: "Markdown" },
    find: { kind: "text", description: "words to replace" },
    reason: { kind: "text", required: true, description: "why" },
    tags: { kind: "list", description: "of a new one" },
  },
  output: { type: "object", required: ["id"] },
  async run({ title, path, text, find, reason, tags = [] }, { engine }) {
    // Loaded late: a server that starts is waited for.
    const [{ propose }, { notePath }] = await Promise.all([import("../inbox/propose.ts"), import("../inbox/note.ts")]);
    if (path !== undefined && (await isRestricted(engine, notePath(path)))) throw withheld(path);
    const draft = { title, path, text, find, reason, tags };
    const { proposal, remarks } = await propose(engine, stateDir(), draft, new Date());
    return {
      id: proposal.id,
      path: proposal.path,
      kind: proposal.base === undefined ? "new note" : "change",
      near: proposal.near,
      decide: `gestalt inbox show ${proposal.id}`,
      ...(remarks.length > 0 && { remarks }),
    };
  },
});

/** Whether a path is that of a restricted note: what `find` says of its words would tell what stands in it. */
async function isRestricted(engine: Notes, path: string): Promise<boolean> {
  try {
    const note = await engine.read(path);
    return note.sensitivity === "restricted" && path.toLowerCase().endsWith(note.path.toLowerCase());
  } catch (error) {
    if (error instanceof GestaltError && error.code === "not-found") return false;
    throw error;
  }
}

const withheld = (path: string): GestaltError =>
  new GestaltError("not-found", `${path} is restricted, and withheld`, "gestalt inbox add, by the user");
