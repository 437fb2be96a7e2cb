import { resolveSettings } from "../settings.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";

export default command({
  name: "gc",
  description: "Drop vectors and unpacked files that nothing uses any more",
  args: {
    gone: { kind: "boolean", description: "also drop the indexes of folders that are not there any more" },
    "dry-run": { kind: "boolean", description: "say what would be dropped, and drop nothing" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: ["search-dir", "wait"],
  async run({ args, flags }) {
    const [{ collectGarbage }, { shelves }] = await Promise.all([
      import("../engine/gc.ts"),
      import("../engine/place.ts"),
    ]);
    const { "search-dir": searchDir, wait } = resolveSettings({ flags }, ["search-dir", "wait"]).values;
    const { folder, vectors } = shelves(searchDir, process.cwd());
    const dryRun = args["dry-run"];
    const report = await collectGarbage({ folder, vectors, gone: args.gone, dryRun, wait: wait * 1000 });
    if (args.json) {
      console.log(JSON.stringify({ ...report, vectors }));
      return;
    }
    const { kept, dropped, indexes, folderless, native, bytes } = report;
    const would = dryRun ? "would be " : "";
    console.log(printable(`${vectors}: ${dropped} vectors ${would}dropped, ${kept} kept for ${indexes} indexes`));
    if (!dryRun && dropped > 0) console.log(`${megabytes(bytes.before)} MB before, ${megabytes(bytes.after)} MB now`);
    if (native.length > 0) console.log(`native parts of ${native.length} other versions ${would}dropped`);
    for (const { db, roots } of folderless) {
      const what = args.gone ? `${would}dropped` : "kept; gestalt gc --gone drops it";
      notice(`${db} is the index of ${roots.join(", ")}, which is not there: ${what}`);
    }
  },
});

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
