/** The inspector of the protocol: another program, by other hands, that starts a server and says what it thinks of it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { type Door, temporaryFolder } from "../../door.ts";

// Of 164 packages, for the sake of a program that no user needs: so not among those that setup installs, but fetched when its tests
// run. Its lock fixes every one of them; Bun's cache has them from the second time on.
const wanted = join(import.meta.dir, "inspector");
const patience = 30_000;

/** Installs the inspector into a folder that the tests leave with; undefined, and said why, where that cannot be. */
export async function installInspector(): Promise<string | undefined> {
  const folder = temporaryFolder();
  cpSync(wanted, folder, { recursive: true });
  // Nothing of it needs its scripts, and nobody read them.
  const child = Bun.spawn([process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: patience,
    killSignal: "SIGKILL",
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) return join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const why = child.signalCode === null ? said.trim().split("\n").at(-1) : `no end within ${patience / 1000} s`;
  console.log(`skipped: the inspector of the protocol could not be installed (${why})`);
  return undefined;
}

export type Inspected = {
  /** 0; 5 where a tool said that it failed; 6 where a schema is at fault. */
  readonly code: number;
  /** What it made of the server's answer: an answer that does not fit the protocol does not come through. */
  readonly result: Record<string, unknown> | undefined;
  /** What it found schemas to be at fault in. */
  readonly findings: unknown;
  readonly stderr: string;
};

/** Lets the inspector start the executable over `door.notes` and do one thing with it. */
export async function inspect(inspector: string, door: Door, options: readonly string[]): Promise<Inspected> {
  const server = [door.executable, "mcp", "--vault", door.notes, "-e", "GESTALT_SERVE=off"];
  // By Bun: the inspector asks for a later Node.js than gestalt does.
  const child = Bun.spawn([process.execPath, inspector, "--cli", ...server, "--format", "json", ...options], {
    cwd: door.home,
    env: { HOME: door.home, PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const { result, schemaFindings: findings } = stdout === "" ? {} : JSON.parse(stdout);
  return { code, result, findings, stderr };
}
