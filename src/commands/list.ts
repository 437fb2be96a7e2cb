import type { ManifestEntry } from "../engine/manifest.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { tagsIn } from "./given-text.ts";
import { watching, withNotes } from "./notes.ts";

export default command({
  name: "list",
  description: "Every note with its title, date, tags and number of sections",
  args: {
    words: {
      kind: "positional",
      many: true,
      description: "only notes whose name, title, tags or blocks hold these words",
    },
    tag: { kind: "list", description: "only notes with this tag; a/b counts as a; repeatable" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    await withNotes(flags, async (engine) => {
      const { done, ...watch } = watching();
      const everything = { query: args.words.join(" "), limit: Number.MAX_SAFE_INTEGER, withhold: false };
      const { entries, index } = await engine.manifest({ ...watch, ...everything }).finally(done);
      const tags = tagsIn(args.tag);
      const notes = entries.filter((note) => tags.every((tag) => hasTag(note, tag)));
      if (args.json) {
        console.log(JSON.stringify({ notes: notes.map(shown), index }));
        return;
      }
      if (notes.length === 0) notice(entries.length === 0 ? "there are no such notes" : "no note has these tags");
      const several = engine.place.vaults.length > 1;
      for (const { vault, path, title, modified = "", tags, sections } of notes)
        console.log(
          printable(
            `${modified.padEnd(10)}  ${several ? `${vault}:` : ""}${path}  ${title}  ${tags.map((tag) => `#${tag}`).join(" ")}${tags.length > 0 ? "  " : ""}${sections} sections`,
          ),
        );
    });
  },
});

const hasTag = ({ tags }: ManifestEntry, wanted: string): boolean => {
  const name = wanted.toLowerCase();
  return tags.some((tag) => tag.toLowerCase() === name || tag.toLowerCase().startsWith(`${name}/`));
};

const shown = ({ vault, path, title, modified, tags, sections }: ManifestEntry) => ({
  vault,
  path,
  title,
  modified,
  tags,
  sections,
});
