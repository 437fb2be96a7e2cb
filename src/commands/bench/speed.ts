import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { columns, megabytes } from "./tables.ts";

export default command({
  name: "speed",
  description: "Time index and search as whole processes, on made-up notes",
  args: {
    notes: { kind: "list", description: "how many notes; repeatable, or parted by commas (default 2000,10000)" },
    executable: { kind: "path", description: "the program to measure (default this one, or dist/gestalt)" },
    out: { kind: "path", description: "folder for the result as JSON" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { measureSpeed } = await import("../../bench/speed.ts");
    const { thisProgram, withOrigin } = await import("./whole-processes.ts");
    const sizes = (args.notes.length > 0 ? args.notes : ["2000,10000"]).flatMap(sizesOf);
    const timings = await measureSpeed({
      executable: args.executable ?? thisProgram(),
      sizes,
      onProgress: process.stderr.isTTY ? notice : undefined,
    });
    const result = withOrigin({ timings }, "speed.json", args.out);
    if (args.json) {
      console.log(JSON.stringify(result));
      return;
    }
    const rows = timings.map(({ what, notes, minMs, medianMs, cpuMs, peakBytes, runs, noisy }) => [
      what,
      String(notes),
      `${minMs.toFixed(0)} ms`,
      `${medianMs.toFixed(0)} ms`,
      `${cpuMs.toFixed(0)} ms`,
      megabytes(peakBytes),
      noisy === 0 ? String(runs) : `${runs} (${noisy} noisy)`,
    ]);
    console.log(columns([["what", "notes", "best", "median", "processor", "memory", "runs"], ...rows], 1));
  },
});

function sizesOf(list: string): readonly number[] {
  return list.split(",").map((text) => {
    const size = Number(text);
    if (Number.isInteger(size) && size >= 1 && size <= 1_000_000) return size;
    throw new GestaltError("usage", `--notes is "${list}", not whole numbers from 1 to 1000000`, "--notes 2000,10000");
  });
}
