import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { GestaltError } from "../errors.ts";
import { answered, faulty } from "./mcp/answer.ts";
import { inputSchema, readArguments } from "./mcp/arguments.ts";
import { instructionsFor } from "./mcp/instructions.ts";
import { getPrompt, prompts } from "./mcp/prompts.ts";
import { listResources, readResource, resourceTemplates } from "./mcp/resources.ts";
import { tools } from "./tools/all.ts";
import type { Surface, Tool } from "./tools/tool.ts";

/** Milliseconds for which a client may keep a list. Tools never change while we run; notes do. */
const cacheHints = {
  "tools/list": { ttlMs: 3_600_000, cacheScope: "private" },
  "prompts/list": { ttlMs: 3_600_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 3_600_000, cacheScope: "private" },
  "resources/list": { ttlMs: 0, cacheScope: "private" },
  "resources/read": { ttlMs: 0, cacheScope: "private" },
  "server/discover": { ttlMs: 60_000, cacheScope: "private" },
} as const;

/**
 * A server for one connection or one request, of either era of the protocol. Cheap to make: the low-level class, with our
 * own schemas and our own reading of arguments, spares each start the making of schemas.
 */
export async function mcpServer(surface: Surface, version: string): Promise<Server> {
  const server = new Server(
    { name: "gestalt", title: "gestalt", version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: await instructionsFor(surface.engine),
      cacheHints,
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: tools.filter(({ unlisted }) => !unlisted).map(listed) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool ${params.name}; there are ${tools.map(({ name }) => name).join(", ")}`,
      );
    try {
      const given = readArguments(tool, params.arguments);
      return answered(await tool.run(given, { ...surface, onProgress: progressOf(context) }));
    } catch (error) {
      return faulty(error);
    }
  });
  server.setRequestHandler("resources/list", ({ params }) => refusing(listResources(surface, params?.cursor)));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params }) => refusing(readResource(surface, params.uri)));
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", ({ params }) => refusing(getPrompt(surface, params.name, params.arguments)));
  return server;
}

const listed = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool),
  outputSchema: { ...tool.output, type: "object" as const },
  annotations: {
    readOnlyHint: !tool.writes,
    destructiveHint: false,
    idempotentHint: !tool.writes,
    openWorldHint: false,
  },
});

/** What cannot be served is the asker's mistake where a GestaltError says so; -32602 in both eras. */
async function refusing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    const code = error.exitCode === 1 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.message}; try: ${error.hint}`);
  }
}

/** Tells a client that asked for it how far a first index is. */
function progressOf({ mcpReq }: ServerContext): Surface["onProgress"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return (done, total) => {
    if (done <= last) return;
    last = done;
    const message = "reading notes";
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress: done, total, message } })
      .catch(() => {});
  };
}
