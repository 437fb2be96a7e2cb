import { command } from "./command.ts";
import { notice } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { watching, withNotes } from "./notes.ts";
import { isTerminal } from "./terminal.ts";

export default command({
  name: "read",
  description: "Print a note or a section of one, as it stands on disk",
  args: {
    target: {
      kind: "positional",
      required: true,
      description: "path, title or alias; NOTE#Heading, NOTE#^block, NOTE:12-40; or the id of a hit",
    },
    lines: { kind: "boolean", description: "number the lines" },
    neighbours: { kind: "integer", range: [0, 100], description: "sections before and after it to print too" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    await withNotes(flags, async (engine) => {
      const { done, ...watch } = watching();
      const reading = await engine.read(args.target, { ...watch, neighbours: args.neighbours ?? 0 }).finally(done);
      if (!reading.index.fresh) notice("the index is behind the disk; line numbers may be off: gestalt index");
      const lines = reading.text.split("\n");
      const width = String(reading.end).length;
      const text = args.lines
        ? lines.map((line, i) => `${String(reading.start + i).padStart(width)}  ${line}`).join("\n")
        : reading.text;
      console.log(args.json ? JSON.stringify({ ...reading, text }) : isTerminal("stdout") ? harmless(text) : text);
    });
  },
});

/** For a terminal: everything but tabs and line breaks that could steer it, as a visible mark. */
const harmless = (text: string): string => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "\u{fffd}");
