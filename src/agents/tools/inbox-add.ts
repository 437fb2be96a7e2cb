import { stateDir } from "../../settings.ts";
import { propose } from "../inbox/propose.ts";
import { tool } from "./tool.ts";

export const inboxAdd = tool({
  name: "gestalt_inbox_add",
  title: "Propose a note",
  description:
    "Propose a new note, or a change of one, to the user's inbox; the user accepts or rejects it. Search first: near lists the " +
    "sections that may say it already. New: title and text. Change: path, find (words of the note now, once in it) and text " +
    "that takes their place; without find, text is the whole note. No secrets.",
  args: {
    title: { kind: "text", description: "of a new note" },
    path: { kind: "text", description: "of a note that exists, as a hit shows it, or of a new one" },
    text: { kind: "text", required: true, description: "Markdown" },
    find: { kind: "text", description: "words of the note as it is now, to be replaced by text" },
    reason: { kind: "text", required: true, description: "why, and from what it is known" },
    tags: { kind: "list", description: "of a new note" },
  },
  writes: true,
  output: {
    type: "object",
    required: ["id", "path", "near"],
    properties: { id: { type: "string" }, path: { type: "string" }, near: { type: "array" } },
  },
  async run({ title, path, text, find, reason, tags = [] }, { engine }) {
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
