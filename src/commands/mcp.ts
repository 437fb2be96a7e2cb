import { version } from "../../package.json";
import type { Notes } from "../agents/tools/tool.ts";
import { GestaltError } from "../errors.ts";
import { command } from "./command.ts";
import { notice } from "./failure.ts";
import { noteKnobs, withNotes } from "./notes.ts";

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
  knobs: noteKnobs,
  async run({ args, flags }) {
    const serve = async (engine: Notes) =>
      await (args.http === undefined ? onStdio(engine) : onHttp(engine, args.http));
    let served = false;
    try {
      await withNotes(
        flags,
        async (engine) => {
          served = true;
          await serve(engine);
        },
        { watch: true },
      );
    } catch (error) {
      // A server that ends at its start tells its user nothing: this one lives, and each call says what is wrong.
      if (served || !(error instanceof GestaltError)) throw error;
      notice(error.message);
      await serve(closed(error));
    }
  },
});

async function onStdio(engine: Notes): Promise<void> {
  const [{ mcpServer }, { serveStreams }, { takeStdout }] = await Promise.all([
    import("../agents/mcp.ts"),
    import("../agents/mcp/stdio.ts"),
    import("../agents/mcp/stdout.ts"),
  ]);
  const surface = { engine, cwd: process.cwd() };
  await serveStreams(() => mcpServer(surface, version), process.stdin, takeStdout());
}

async function onHttp(engine: Notes, port: number): Promise<void> {
  const [{ mcpServer }, { serveHttp }] = await Promise.all([
    import("../agents/mcp.ts"),
    import("../agents/mcp/http.ts"),
  ]);
  const surface = { engine, cwd: process.cwd() };
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
  };
}
