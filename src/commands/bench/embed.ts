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
    const { thisProgram, withOrigin } = await import("./whole-processes.ts");
    const rate = measureEmbedding({
      executable: args.executable ?? thisProgram(),
      passages: args.passages ?? 400,
      tokens: args.tokens ?? 250,
      runs: args.runs ?? 3,
      onProgress: process.stderr.isTTY ? notice : undefined,
    });
    const result = withOrigin({ rate }, "embedding.json", args.out);
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
