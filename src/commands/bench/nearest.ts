import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { benchKnobs, benchPlace } from "./place.ts";
import { tellTimings } from "./timings.ts";

export default command({
  name: "nearest",
  description: "Time exact nearest neighbours, cold and from memory, among random vectors",
  args: {
    sizes: { kind: "text", description: "COUNTxDIMS, parted by commas (default 10000x384,100000x384,57638x1024)" },
    executable: { kind: "path", description: "the program to measure (default this one, or dist/gestalt)" },
    ask: {
      kind: "path",
      description: "answer one question from the index in this folder, which is made when missing: what is timed",
    },
    out: { kind: "path", description: "folder for the result as JSON" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { askOnce, measureNearest } = await import("../../bench/nearest.ts");
    const { settings } = benchPlace(flags, undefined);
    const sizes = sizesOf(args.sizes ?? "10000x384,100000x384,57638x1024");
    if (args.ask !== undefined) {
      for (const size of sizes) await askOnce(args.ask, size, settings);
      return;
    }
    const { thisProgram } = await import("./whole-processes.ts");
    const timings = await measureNearest({
      executable: args.executable ?? thisProgram(),
      sizes,
      settings,
      onProgress: process.stderr.isTTY ? notice : undefined,
    });
    await tellTimings("nearest.json", timings, args, ["vectors", ({ vectors, dims }) => `${vectors} x ${dims}`]);
  },
});

function sizesOf(list: string) {
  return list.split(",").map((text) => {
    const [vectors = 0, dims = 0] = (/^(\d{1,7})x(\d{1,4})$/.exec(text) ?? []).slice(1).map(Number);
    if (vectors >= 1 && dims >= 1) return { vectors, dims };
    throw new GestaltError("usage", `--sizes is "${list}", not counts and dimensions`, "--sizes 10000x384,57638x1024");
  });
}
