import type { IndexReport } from "../engine/index-notes.ts";
import type { Engine } from "../engine/open.ts";
import { command } from "./command.ts";
import { startDetached } from "./detached.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { sayWaiting, withNotes } from "./notes.ts";
import { progressBar } from "./progress.ts";

export default command({
  name: "index",
  description: "Bring the index of your notes up to date",
  args: {
    force: { kind: "boolean", description: "read every note anew; also mends a broken index" },
    lexical: { kind: "boolean", description: "words only: make no vectors now" },
    gate: { kind: "boolean", description: "with --lexical too, measure what hooks must know (they have it done)" },
    background: { kind: "boolean", description: "return at once and go on by itself" },
    strict: { kind: "boolean", description: "exit with 1 when a file had to be skipped" },
    json: { kind: "boolean", description: "the report as one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    if (args.background) {
      startDetached(process.argv.slice(2).filter((word) => word !== "--background"));
      return 0;
    }
    return await withNotes(flags, async (engine) => {
      const bars = { notes: progressBar("reading notes"), vectors: progressBar("learning their meaning") };
      const indexed = await engine
        .index({
          force: args.force,
          lexical: args.lexical,
          onWait: sayWaiting,
          onProgress: (phase, done, total) => bars[phase].show(done, total),
        })
        .finally(() => {
          bars.notes.done();
          bars.vectors.done();
        });
      const measuring = args.gate || !args.lexical ? await measure(engine) : 0;
      const report = { ...indexed, seconds: indexed.seconds + measuring, measuring };
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

/** Measures what hooks must know of these notes; returns the seconds that it took, 0 when it was not due. */
async function measure(engine: Engine): Promise<number> {
  const bar = progressBar("asking everyday prompts");
  const start = performance.now();
  const done = await engine.measure({ meaning: true, onProgress: bar.show }).finally(bar.done);
  return done ? (performance.now() - start) / 1000 : 0;
}

function show(report: IndexReport, roots: readonly string[]): void {
  const place = (vault: string, path: string) => (roots.length > 1 ? `${vault}:${path}` : path);
  for (const { vault, path, reason } of report.skipped) notice(`skipped ${place(vault, path)}: ${reason}`);
  for (const { vault, path, line, message } of report.warnings) notice(`${place(vault, path)}:${line}: ${message}`);
  for (const { path, reason } of report.failed) notice(`no vector for a passage of ${path}: ${reason}`);
  if (report.wordsOnly !== undefined) notice(`words only: ${report.wordsOnly}`);
  const counts = (["added", "changed", "moved", "removed", "unchanged"] as const)
    .filter((name) => report[name] > 0 || name === "unchanged")
    .map((name) => `${report[name]} ${name}`);
  if (report.skipped.length > 0) counts.push(`${report.skipped.length} skipped`);
  if (report.embedded > 0) counts.push(`${report.embedded} embedded`);
  if (report.pending.passages > 0) counts.push(`${report.pending.passages} passages without a vector`);
  console.log(printable(`${roots.join(", ")}: ${counts.join(", ")} in ${report.seconds.toFixed(2)} s`));
}
