import type { AgentFigures } from "../../bench/agents/measure.ts";
import { command } from "../command.ts";
import { notice } from "../failure.ts";
import { columns, megabytes } from "./tables.ts";

export default command({
  name: "agents",
  description: "Time hooks and MCP sessions on made-up notes, and count what they hold and put before an agent",
  args: {
    notes: { kind: "integer", range: [100, 100_000], description: "how many notes (default 2000)" },
    runs: { kind: "integer", range: [1, 1000], description: "runs of each process (default 20)" },
    executable: { kind: "path", description: "the program to measure (default this one, or dist/gestalt)" },
    out: { kind: "path", description: "folder for the result as JSON" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { measureAgents } = await import("../../bench/agents/measure.ts");
    const { thisProgram, withOrigin } = await import("./whole-processes.ts");
    const measured = await measureAgents({
      executable: args.executable ?? thisProgram(),
      notes: args.notes ?? 2000,
      runs: args.runs ?? 20,
      onProgress: process.stderr.isTTY ? notice : () => {},
    });
    const result = withOrigin(measured, "agents.json", args.out);
    console.log(args.json ? JSON.stringify(result) : tables(measured));
  },
});

const tables = ({ figures, crowds, injected }: AgentFigures): string =>
  [figureTable(figures), crowdTable(crowds), injectedTable(injected)].join("\n\n");

/** Milliseconds, with a digit after the point where calls are as fast as that. */
const milliseconds = (ms: number): string => `${ms.toFixed(ms < 20 ? 1 : 0)} ms`;

function figureTable(figures: AgentFigures["figures"]): string {
  const rows = figures.map(({ what, runs, minMs, medianMs, maxMs, peakBytes, noisy, promised }) => [
    what,
    ...[minMs, medianMs, promised.ms, maxMs].map(milliseconds),
    megabytes(peakBytes),
    megabytes(promised.bytes),
    noisy === 0 ? String(runs) : `${runs} (${noisy} noisy)`,
  ]);
  return columns([["what", "best", "median", "promised", "worst", "memory", "promised", "runs"], ...rows], 1);
}

function crowdTable(crowds: AgentFigures["crowds"]): string {
  const rows = crowds.map(({ sessions, processes, ...bytes }) => [
    String(sessions),
    String(processes),
    megabytes(bytes.proportionalBytes),
    megabytes(bytes.residentBytes),
    megabytes(bytes.warmProportionalBytes),
    megabytes(bytes.warmResidentBytes),
  ]);
  const head = [
    "sessions",
    "processes",
    "in all, shared pages once",
    "resident, summed",
    "warm process alone",
    "resident",
  ];
  return columns([head, ...rows], 0);
}

function injectedTable(injected: AgentFigures["injected"]): string {
  const rows = injected.map(({ prompts, asked, served, meanCharacters, maxCharacters }) => [
    prompts,
    ...[asked, served, meanCharacters, maxCharacters].map(String),
  ]);
  return columns([["prompts", "asked", "served", "characters, mean", "most"], ...rows], 1);
}
