import type { Report } from "../engine/update.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs, watching, withNotes } from "./notes.ts";

export default command({
  name: "index",
  description: "Bring the index of your notes up to date",
  args: {
    force: { kind: "boolean", description: "read every note anew; also mends a broken index" },
    strict: { kind: "boolean", description: "exit with 1 when a file had to be skipped" },
    json: { kind: "boolean", description: "the report as one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    return await withNotes(flags, async (engine) => {
      const { done, ...watch } = watching("reading notes");
      const report = await engine.index({ ...watch, force: args.force }).finally(done);
      if (args.json) console.log(JSON.stringify({ ...report, db: engine.place.db }));
      else
        show(
          report,
          engine.place.vaults.map(({ root }) => root),
        );
      return args.strict && report.skipped.length > 0 ? 1 : 0;
    });
  },
});

function show(report: Report, roots: readonly string[]): void {
  const several = roots.length > 1;
  for (const { vault, path, reason } of report.skipped)
    notice(`skipped ${several ? `${vault}:` : ""}${path}: ${reason}`);
  for (const { vault, path, line, message } of report.warnings)
    notice(`${several ? `${vault}:` : ""}${path}:${line}: ${message}`);
  const counts = (["added", "changed", "moved", "removed", "unchanged"] as const)
    .filter((name) => report[name] > 0 || name === "unchanged")
    .map((name) => `${report[name]} ${name}`);
  if (report.skipped.length > 0) counts.push(`${report.skipped.length} skipped`);
  console.log(printable(`${roots.join(", ")}: ${counts.join(", ")} in ${report.seconds.toFixed(2)} s`));
}
