import type { Counts, ManifestEntry } from "../engine/manifest.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { watching, withNotes } from "./notes.ts";

export default command({
  name: "manifest",
  description: "List what notes there are: a summary, or the notes that words fit",
  args: {
    words: { kind: "positional", many: true, description: "a note's name, or words that all must stand in its entry" },
    all: { kind: "boolean", description: "every note that fits, not the first ten" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    await withNotes(flags, async (engine) => {
      const { done, ...watch } = watching();
      const query = args.words.join(" ");
      const limit = args.all ? Number.MAX_SAFE_INTEGER : query === "" ? 0 : 10;
      const found = await engine.manifest({ ...watch, query, limit, withhold: false }).finally(done);
      if (args.json) {
        console.log(JSON.stringify(found));
        return;
      }
      if (limit === 0) {
        console.log(`${found.notes} notes`);
        showCounts("types", found.types);
        showCounts("folders", found.folders);
        showCounts("tags", found.tags);
        return;
      }
      console.log(found.entries.map(entry).join("\n\n"));
      if (found.matched === 0) notice("no note fits");
      if (found.matched > found.entries.length)
        notice(`${found.matched - found.entries.length} more notes fit; --all shows them`);
    });
  },
});

function showCounts(what: string, counts: Counts): void {
  if (counts.length > 0)
    console.log(printable(`${what}: ${counts.map(({ name, notes }) => `${name} ${notes}`).join(", ")}`));
}

/** As the reference's MANIFEST.md has it. */
function entry({ slug, type, title, links, blocks }: ManifestEntry): string {
  const lines = [`### ${slug}`, [type, title].filter(Boolean).join(" | ")];
  if (links.length > 0) lines.push(`Links: ${links.map((link) => `[[${link}]]`).join(" ")}`);
  if (blocks.length > 0) lines.push(`Blocks: ${blocks.map((block) => `^${block}`).join(", ")}`);
  return lines.map(printable).join("\n");
}
