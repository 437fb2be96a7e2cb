import { expect, test } from "bun:test";
import { hookRows } from "../../src/bench/agents/hooks.ts";
import { measureAgents } from "../../src/bench/agents/measure.ts";
import { openDoor } from "../door.ts";

test("hooks and sessions are measured while they do what they are for: one figure for each, and no process is left", async () => {
  const { executable } = await openDoor();
  const steps: string[] = [];
  const { figures, crowds, injected } = await measureAgents({
    executable,
    notes: 60,
    runs: 1,
    patience: 0,
    onProgress: (what) => steps.push(what),
  });
  expect(figures.map(({ what }) => what)).toEqual([
    ...hookRows({ vault: "", project: "", subjects: [""] }).map(({ what }) => what),
    "MCP: start to the reply to initialize",
    "MCP: a lexical call, one question again and again",
    "MCP: a lexical call, another question each time",
    "MCP: a hybrid call, one question again and again",
    "MCP: a hybrid call, another question each time",
  ]);
  for (const { minMs, medianMs, maxMs } of figures) {
    expect(minMs).toBeGreaterThan(0);
    expect(medianMs).toBeGreaterThanOrEqual(minMs);
    expect(maxMs).toBeGreaterThanOrEqual(medianMs);
  }
  if (process.platform === "linux") {
    expect(crowds.map(({ sessions, processes }) => processes - sessions)).toEqual([1, 1, 1]);
    for (const { residentBytes, proportionalBytes } of crowds)
      expect(residentBytes ?? 0).toBeGreaterThan(proportionalBytes ?? 0);
  }
  for (const { prompts, asked, served } of injected)
    if (prompts.startsWith("questions")) expect([prompts, served]).toEqual([prompts, asked]);
    else expect(served).toBeLessThan(asked / 4);
}, 180_000);
