import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { findNotes, noteKnobs } from "../find-notes.ts";
import { goldenOf } from "./place.ts";

export default command({
  name: "make",
  description: "Make questions from your notes: from their links, headings, aliases and summaries",
  args: {
    golden: { kind: "path", description: "where they go, as JSON lines to edit (default beside the index)" },
    force: { kind: "boolean", description: "write over a file that is there" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    const { place, settings } = await findNotes(flags);
    const { makeCases } = await import("../../bench/make.ts");
    const { formatCases } = await import("../../bench/golden.ts");
    const file = args.golden ?? goldenOf(place);
    if (existsSync(file) && !args.force)
      throw new GestaltError("usage", `${file} is there, and may hold your edits`, "--force, or another --golden FILE");
    const cases = await makeCases({ place, settings });
    const counts = Object.entries(Object.groupBy(cases, ({ made, bucket }) => made ?? bucket)).map(
      ([kind, held]) => [kind, held?.length ?? 0] as const,
    );
    if (counts.every(([kind]) => kind === "negative"))
      throw new GestaltError(
        "not-found",
        "these notes have no links, aliases, headings or summaries to ask about",
        "write a golden set by hand",
      );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, formatCases(cases));
    if (args.json) console.log(JSON.stringify({ file, cases: cases.length, ...Object.fromEntries(counts) }));
    else console.log(`${cases.length} questions in ${file}: ${counts.map(([kind, n]) => `${n} ${kind}`).join(", ")}`);
  },
});
