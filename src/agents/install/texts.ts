import gestaltRule from "../../../rules/gestalt.md" with { type: "text" };
import notesRule from "../../../rules/notes.md" with { type: "text" };
import capture from "../../../skills/capture/SKILL.md" with { type: "text" };
import consolidate from "../../../skills/consolidate/SKILL.md" with { type: "text" };
import investigate from "../../../skills/investigate/SKILL.md" with { type: "text" };
import learn from "../../../skills/learn/SKILL.md" with { type: "text" };
import research from "../../../skills/research/SKILL.md" with { type: "text" };
import review from "../../../skills/review/SKILL.md" with { type: "text" };
import save from "../../../skills/save/SKILL.md" with { type: "text" };
import searchNotes from "../../../skills/search-notes/SKILL.md" with { type: "text" };

/** The skills that the executable carries, by folder name. */
export const skills: Readonly<Record<string, string>> = {
  capture,
  consolidate,
  investigate,
  learn,
  research,
  review,
  save,
  "search-notes": searchNotes,
};

/** The rules that the executable carries, by file name without extension. */
export const rules: Readonly<Record<string, string>> = { gestalt: gestaltRule, notes: notesRule };

/** A text without its front matter and the empty lines after it. */
export const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n+/, "");
