import { stateDir } from "../../settings.ts";
import { tool } from "./tool.ts";

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
    const { propose } = await import("../inbox/propose.ts");
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
