import { version } from "../../package.json";
import type { Notes, Surface } from "../agents/tools/tool.ts";
import { withEngine } from "../engine/open.ts";
import { GestaltError } from "../errors.ts";
import { configNotices, type Flags } from "../settings.ts";
import { command } from "./command.ts";
import { notice } from "./failure.ts";
import { findNotes, noteKnobs } from "./find-notes.ts";
import { warmClient } from "./warm.ts";

export default command({
  name: "mcp",
  description: "Serve your notes to an agent over the Model Context Protocol, on stdin and stdout",
  args: {
    http: {
      kind: "integer",
      range: [0, 65_535],
      description: "on this port of this machine instead; 0 takes a free one",
    },
  },
  knobs: [...noteKnobs, "serve", "session", "hits-log"],
  async run({ args, settings, flags }) {
    const serve = async (notes: Notes) =>
      await (args.http === undefined
        ? onStdio(notes, await sharing(notes, settings.session, settings["hits-log"]))
        : onHttp(notes, args.http));
    const found = await notesOrWhyNot(flags);
    if (found instanceof GestaltError) {
      // A server that ends at its start tells its user nothing: this one lives, and each call says what is wrong.
      notice(found.message);
      return await serve(closed(found));
    }
    const { config, ...at } = found;
    for (const line of config === undefined ? [] : configNotices(config)) notice(line);
    await withEngine({ ...at, watch: true }, async (engine) => {
      if (!settings.serve) return await serve(engine);
      const [{ attached, served }, client] = await Promise.all([import("../service/served.ts"), warmClient()]);
      try {
        void attached(engine, at, client);
        await serve(served(engine, at, client));
      } finally {
        client.close();
      }
    });
  },
});

/** What the agent reads, hooks need not show it: they find it in the session's ledger. */
async function sharing({ place }: Notes, session: string | undefined, addresses: boolean): Promise<Surface["onRead"]> {
  if (session === undefined) return undefined;
  const [{ writer }, { openLedger }, { hookState }] = await Promise.all([
    import("../agents/shown.ts"),
    import("../agents/ledger.ts"),
    import("./hook/state.ts"),
  ]);
  return writer(place, openLedger(hookState(), session), addresses);
}

async function notesOrWhyNot(flags: Flags) {
  try {
    return await findNotes(flags);
  } catch (error) {
    if (error instanceof GestaltError) return error;
    throw error;
  }
}

async function onStdio(notes: Notes, onRead: Surface["onRead"]): Promise<void> {
  const [{ mcpServer }, { serveStreams }, { takeStdout }] = await Promise.all([
    import("../agents/mcp.ts"),
    import("../agents/mcp/stdio.ts"),
    import("../agents/mcp/stdout.ts"),
  ]);
  const surface = { engine: notes, cwd: process.cwd(), onRead };
  await serveStreams(() => mcpServer(surface, version), process.stdin, takeStdout());
}

async function onHttp(notes: Notes, port: number): Promise<void> {
  const [{ mcpServer }, { serveHttp }] = await Promise.all([
    import("../agents/mcp.ts"),
    import("../agents/mcp/http.ts"),
  ]);
  const surface = { engine: notes, cwd: process.cwd() };
  const { url, tokenFile, closed } = serveHttp(() => mcpServer(surface, version), port);
  notice(`listening on ${url}; clients send the token in ${tokenFile}: Authorization: Bearer TOKEN`);
  await closed;
}

/** Verbs that say why there are no notes. */
function closed(error: GestaltError): Notes {
  const refuse = () => Promise.reject(error);
  return {
    place: { vaults: [], db: "", vectors: "", models: "", why: error.message },
    search: refuse,
    read: refuse,
    brief: refuse,
    manifest: refuse,
    graph: refuse,
    likeness: async () => undefined,
  };
}
