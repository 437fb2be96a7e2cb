/** Sessions of agents, and the processes behind them, for tests of the warm process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Door } from "../door.ts";

export type Session = { ask(id: number, query: string): Promise<Answer>; end(): Promise<number> };
export type Answer = {
  readonly query: string;
  readonly mode: string;
  readonly hits: readonly { readonly path: string }[];
  readonly index: { readonly pending: { readonly passages: number } };
};

/** An agent's session: a server on stdio. */
export async function openSession(door: Door, env: Readonly<Record<string, string>>): Promise<Session> {
  const child = door.spawn(["mcp", "--vault", "."], { env });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { id, result } = JSON.parse(line);
        waiting.get(id)?.(result);
      }
    }
  })();
  const send = async (id: number, method: string, params: object): Promise<Record<string, unknown>> => {
    const reply = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await child.stdin.flush();
    return await reply;
  };
  const clientInfo = { name: "test", version: "1" };
  await send(0, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return {
    async ask(id, query) {
      const result = await send(id, "tools/call", { name: "gestalt_search", arguments: { query, limit: 1 } });
      return result["structuredContent"] as Answer;
    },
    async end() {
      child.stdin.end();
      return await child.exited;
    },
  };
}

/** The processes of a door's executable; those of one command when it is named. On Linux only. */
export const processesOf = ({ executable }: Door, command?: string): number[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      const [program, first] = fileOf(pid, "cmdline").split("\0");
      return program === executable && (command === undefined || first === command);
    })
    .map(Number);

/** Those of some processes that have the models' runtime in memory. */
export const withModel = (pids: readonly number[]): number[] =>
  pids.filter((pid) => fileOf(String(pid), "maps").includes("onnxruntime"));

function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(join("/proc", pid, name), "utf8");
  } catch {
    return "";
  }
}

export async function until(holds: () => Promise<boolean> | boolean, pause = 50): Promise<void> {
  while (!(await holds())) await Bun.sleep(pause);
}
