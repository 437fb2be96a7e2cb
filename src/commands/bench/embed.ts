import { basename, join } from "node:path";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { columns, megabytes } from "./tables.ts";

export default command({
  name: "embed",
  description: "Measure how many passages a second get a vector, on made-up notes",
  args: {
    passages: { kind: "integer", range: [64, 100_000], description: "how many passages (default 400)" },
    tokens: { kind: "integer", range: [16, 480], description: "how long each is, in tokens (default 250)" },
    runs: { kind: "integer", range: [1, 100], description: "how often (default 3)" },
    executable: { kind: "path", description: "the program to measure (default this one, or dist/gestalt)" },
    out: { kind: "path", description: "folder for the result as JSON" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { measureEmbedding } = await import("../../bench/embedding-rate.ts");
    const { machine } = await import("../../bench/machine.ts");
    const { writeWhole } = await import("../../bench/whole.ts");
    const { commandLine } = await import("./measure.ts");
    const rate = measureEmbedding({
      executable: args.executable ?? thisProgram(),
      passages: args.passages ?? 400,
      tokens: args.tokens ?? 250,
      runs: args.runs ?? 3,
      onProgress: process.stderr.isTTY ? notice : undefined,
    });
    const result = { machine: machine(), command: commandLine(), rate };
    if (args.out !== undefined) {
      const { mkdirSync } = await import("node:fs");
      mkdirSync(args.out, { recursive: true });
      writeWhole(join(args.out, "embedding.json"), `${JSON.stringify(result, null, 2)}\n`);
    }
    if (args.json) {
      console.log(JSON.stringify(result));
      return;
    }
    const { passages, tokens, perSecond, cpuMs, peakBytes } = rate;
    const row = [
      String(passages),
      String(tokens),
      perSecond.map((value) => value.toFixed(1)).join(" "),
      `${cpuMs.toFixed(1)} ms`,
      megabytes(peakBytes),
    ];
    console.log(columns([["passages", "tokens", "a second", "processor", "memory"], row], 0));
  },
});

/** The executable that runs this; run from its sources, the one that was built from them. */
const thisProgram = (): string =>
  basename(process.execPath).startsWith("bun")
    ? join(import.meta.dir, "..", "..", "..", "dist", "gestalt")
    : process.execPath;
