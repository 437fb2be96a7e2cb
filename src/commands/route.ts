import type { Likeness } from "../engine/route.ts";
import { clientFolders, homeDir } from "../settings.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { withNotes } from "./notes.ts";

export default command({
  name: "route",
  description: "Show which of the skills at hand may fit a request (a weak hint)",
  args: {
    request: { kind: "positional", many: true, required: true, description: "what is to be done" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: ["limit", ...noteKnobs],
  async run({ args, settings, flags }) {
    const [{ findSkills }, { route }] = await Promise.all([
      import("../agents/skills.ts"),
      import("../engine/route.ts"),
    ]);
    const files = findSkills(process.cwd(), homeDir(), clientFolders().claude);
    const likeness: Likeness = (question, texts) => withNotes(flags, (engine) => engine.likeness(question, texts));
    const { skills, mode } = await route(files, args.request.join(" "), settings.limit, likeness);
    if (args.json) {
      console.log(JSON.stringify({ skills, of: files.length, mode }));
      return;
    }
    if (skills.length === 0)
      notice(files.length === 0 ? "no skills found" : `none of ${files.length} skills has these words`);
    for (const { name, origin, description, path } of skills)
      console.log(`${printable(`${name}  (${origin})  ${description}`)}\n    ${printable(path)}`);
  },
});
