import { embedded } from "../embedded.ts";

/** Starts this program again in a folder, on its own: it outlives this process and writes nowhere. */
export function startDetached(args: readonly string[], cwd = process.cwd()): void {
  // The executable is its own script; from source Bun is told which one to run.
  const script = embedded === undefined ? process.argv.slice(1, 2) : [];
  Bun.spawn([process.execPath, ...script, ...args], {
    cwd,
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  }).unref();
}
