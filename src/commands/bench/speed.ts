import { GestaltError } from "../../errors.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { benchKnobs, benchPlace } from "./place.ts";
import { tellTimings } from "./timings.ts";

export default command({
  name: "speed",
  description: "Time index and search as whole processes, on made-up notes",
  args: {
    notes: {
      kind: "list",
      description: "how many notes; repeatable, or parted by commas (default 2000,10000; with --meaning 2000)",
    },
    meaning: { kind: "boolean", description: "searches that need vectors instead; making those takes minutes, once" },
    executable: { kind: "path", description: "the program to measure (default this one, or dist/gestalt)" },
    out: { kind: "path", description: "folder for the result as JSON" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { thisProgram } = await import("./whole-processes.ts");
    const options = {
      executable: args.executable ?? thisProgram(),
      sizes: (args.notes.length > 0 ? args.notes : [args.meaning ? "2000" : "2000,10000"]).flatMap(sizesOf),
      onProgress: process.stderr.isTTY ? notice : undefined,
    };
    const notes = ["notes", (timing: { readonly notes: number }) => String(timing.notes)] as const;
    if (args.meaning) {
      const { measureMeaning } = await import("../../bench/speed-meaning.ts");
      await tellTimings("speed-meaning.json", await measureMeaning(options, benchPlace(flags, undefined)), args, notes);
      return;
    }
    const { measureSpeed } = await import("../../bench/speed.ts");
    await tellTimings("speed.json", await measureSpeed(options), args, notes);
  },
});

function sizesOf(list: string): readonly number[] {
  return list.split(",").map((text) => {
    const size = Number(text);
    if (Number.isInteger(size) && size >= 1 && size <= 1_000_000) return size;
    throw new GestaltError("usage", `--notes is "${list}", not whole numbers from 1 to 1000000`, "--notes 2000,10000");
  });
}
