import { afterEach, beforeEach, spyOn } from "bun:test";
import { type Group, main } from "../../src/commands/command.ts";
import { folderWith } from "../bench/files.ts";

/** What a command line came to: its exit code, and what it said on stdout and stderr. */
type Outcome = { readonly code: number; readonly out: string; readonly err: string };

/**
 * Runs command lines of `root` in this process. For every test of the file the console is listened to, a cache folder is
 * made, and the user's own GESTALT_* variables are away.
 */
export function runner(root: Group): (...argv: string[]) => Promise<Outcome> {
  let out: ReturnType<typeof spyOn<Console, "log">>;
  let err: ReturnType<typeof spyOn<Console, "error">>;
  const kept = { ...process.env };
  beforeEach(() => {
    out = spyOn(console, "log").mockImplementation(() => {});
    err = spyOn(console, "error").mockImplementation(() => {});
    for (const name of Object.keys(process.env)) if (name.startsWith("GESTALT_")) delete process.env[name];
    process.env["XDG_CACHE_HOME"] = folderWith({});
  });
  afterEach(() => {
    out.mockRestore();
    err.mockRestore();
    delete process.env["XDG_CACHE_HOME"];
    Object.assign(process.env, kept);
  });
  return async (...argv) => {
    out.mockClear();
    err.mockClear();
    const code = await main(root, "1.2.3", argv);
    const said = (spy: typeof out | typeof err) => spy.mock.calls.map((call) => call.join(" ")).join("\n");
    return { code, out: said(out), err: said(err) };
  };
}
