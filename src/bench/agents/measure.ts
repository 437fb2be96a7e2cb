import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GestaltError } from "../../errors.ts";
import type { Figure } from "./figure.ts";
import { hookRows, type Injected, promptsIn, timeHook } from "./hooks.ts";
import { type Crowd, mcpFigures, measureCrowd } from "./mcp.ts";
import { openStage } from "./stage.ts";

export type AgentFigures = {
  readonly notes: number;
  readonly figures: readonly Figure[];
  readonly crowds: readonly Crowd[];
  readonly injected: readonly Injected[];
};

export type AgentOptions = {
  /** The program that is measured. */
  readonly executable: string;
  readonly notes: number;
  /** Runs of each process; ten times as many of each call. */
  readonly runs: number;
  /** Milliseconds to wait for a quiet machine before each run; the usual time when undefined. */
  readonly patience?: number | undefined;
  readonly onProgress: (what: string) => void;
};

/** How many sessions of agents there are at once. */
const crowds = [1, 5, 20] as const;

/**
 * Measures what hooks and MCP sessions cost on made-up notes with vectors, in a home of their own that is removed
 * afterwards: the executable is started as agents start it. Waits for a quiet machine before each run.
 *
 * @throws GestaltError("not-found") when there is no such program, "bad-dataset" when it does not do what is measured
 */
export async function measureAgents({
  executable,
  notes,
  runs,
  patience,
  onProgress,
}: AgentOptions): Promise<AgentFigures> {
  if (!existsSync(executable)) throw new GestaltError("not-found", `there is no ${executable}`, "bun run build");
  const folder = mkdtempSync(join(tmpdir(), "gestalt-agents-"));
  try {
    onProgress(`writing and indexing ${notes} notes, with vectors`);
    const stage = openStage({ folder, executable, notes, patience });
    const figures: Figure[] = [];
    for (const row of hookRows(stage).filter(({ warm }) => warm === undefined)) {
      onProgress(row.what);
      figures.push(await timeHook(stage, row, runs));
    }
    onProgress("prompts, by words");
    const injected = await promptsIn(stage, "words");
    const warm = await stage.warm();
    try {
      for (const row of hookRows(stage).filter((of) => of.warm !== undefined)) {
        onProgress(row.what);
        figures.push(await timeHook(stage, row, runs, warm));
      }
      onProgress("prompts, by meaning");
      injected.push(...(await promptsIn(stage, "meaning")));
      onProgress("MCP");
      figures.push(...(await mcpFigures(stage, runs)));
      const measured: Crowd[] = [];
      for (const sessions of crowds) {
        onProgress(`${sessions} sessions`);
        measured.push(await measureCrowd(stage, warm, sessions));
      }
      return { notes, figures, crowds: measured, injected };
    } finally {
      await warm.end();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
