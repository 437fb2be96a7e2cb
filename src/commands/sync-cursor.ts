import type { CursorState } from "../agents/cursor/sync.ts";
import { GestaltError } from "../errors.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { siteOf } from "./site.ts";

export default command({
  name: "sync-cursor",
  description: "Keep Cursor's rules, skills, hooks and servers like their sources",
  args: {
    check: {
      kind: "boolean",
      description: "only compare, and exit with 1 when something differs (so it is unless --write)",
    },
    write: { kind: "boolean", description: "write what is missing or stale, remove what has no source any more" },
    from: { kind: "path", description: "a folder whose .claude/rules and .claude/skills are sources too" },
    json: { kind: "boolean", description: "the comparison as one JSON object" },
  },
  async run({ args }) {
    if (args.check && args.write)
      throw new GestaltError("usage", "--check and --write exclude each other", "gestalt sync-cursor --write");
    const { checkCursor, writeCursor } = await import("../agents/cursor/sync.ts");
    const site = siteOf();
    const state = args.write ? writeCursor(site, args.from) : checkCursor(site, args.from);
    if (args.write) await writeContext(site.project);
    if (args.json) console.log(JSON.stringify(state));
    else show(state, args.write);
    const differs = state.missing.length + state.stale.length + state.extra.length > 0;
    return !args.write && differs ? 1 : 0;
  },
});

/** What a session here would begin with becomes a rule, as at each start of one. */
async function writeContext(project: string): Promise<void> {
  const { runHook } = await import("../agents/hooks/run.ts");
  const { withNotesFor } = await import("./hook/event.ts");
  const { hookState } = await import("./hook/state.ts");
  const state = hookState();
  const event = { hook_event_name: "sessionStart", conversation_id: `sync-${crypto.randomUUID()}`, cwd: project };
  await runHook({
    event: "session-start",
    state,
    stdin: async () => JSON.stringify(event),
    withContext: (input, use) => withNotesFor(state, input, use),
  });
}

function show({ missing, stale, extra, kept, same, passed }: CursorState, written: boolean): void {
  const list = (word: string, paths: readonly string[]) => {
    for (const path of paths) console.log(printable(`${word}: ${path}`));
  };
  list(written ? "written" : "missing", missing);
  list(written ? "renewed" : "stale", stale);
  list(written ? "removed" : "extra", extra);
  for (const { path, why } of kept) notice(`${path} stays as it is: ${why}`);
  for (const path of passed) notice(`${path} is not UTF-8 text, and was passed over`);
  if (missing.length + stale.length + extra.length === 0) console.log(`${same.length} files are as they should be`);
}
