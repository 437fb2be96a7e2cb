import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tools } from "../../../src/agents/tools/all.ts";
import { type Door, openDoor } from "../../door.ts";
import { type Inspected, inspect, installInspector } from "./inspector.ts";

// Far above what a call takes, for machines that have much else to do.
setDefaultTimeout(120_000);

const inspector = await installInspector();

let door: Door;
beforeAll(async () => {
  if (inspector === undefined) return;
  door = await openDoor();
  door.write("queue.md", "---\ntags: [ops]\n---\n# Retry queue\n\nWe dropped it for poison messages. ^why\n");
  door.write("cache.md", "# Page cache\n\nWe kept it warm.\n");
});

const names = tools.filter(({ unlisted }) => !unlisted).map(({ name }) => name);

describe.skipIf(inspector === undefined).each([
  ["legacy", "2025-11-25"],
  ["modern", "2026-07-28"],
])("the inspector of the protocol, %s era", (era, revision) => {
  const ask = (method: string, ...options: string[]): Promise<Inspected> =>
    inspect(inspector!, door, ["--protocol-era", era, "--method", method, ...options]);
  const call = (name: string, given: object) =>
    ask("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given));
  /** The answer to a question that nothing is wrong with, and that the inspector has no word to say on. */
  const answer = async (asked: Promise<Inspected>) => {
    const { result, ...rest } = await asked;
    expect(rest).toEqual({ code: 0, findings: undefined, stderr: "" });
    return result;
  };

  test("agrees with the server on the revision, and learns what it can", async () => {
    const said = await answer(ask("initialize"));
    expect(said).toMatchObject({ protocolVersion: revision, serverInfo: { name: "gestalt" } });
    expect(said?.["capabilities"]).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(said?.["instructions"]).toContain("gestalt_search");
  });

  test("lists every tool, and finds nothing in their schemas that any client could stumble over", async () => {
    const { tools: listed } = (await answer(ask("tools/list", "--strict"))) as { tools: Record<string, unknown>[] };
    // It leaves out a tool whose schemas or annotations do not fit the protocol.
    expect(listed.map(({ name }) => name)).toEqual(names);
    for (const tool of listed)
      expect(tool).toMatchObject({
        inputSchema: { type: "object" },
        outputSchema: { type: "object" },
        annotations: { destructiveHint: false, openWorldHint: false },
      });
  });

  test("finds a section, and reads it", async () => {
    // It holds structuredContent against the output schema that was listed, as a client should.
    const [found, read] = await Promise.all([
      answer(call("gestalt_search", { query: "poison", mode: "lexical" })),
      answer(call("gestalt_read", { address: "queue.md#retry-queue" })),
    ]);
    const hits = [{ id: "queue.md#retry-queue", path: "queue.md", title: "Retry queue" }];
    expect(found?.["structuredContent"]).toMatchObject({ hits });
    expect(read?.["structuredContent"]).toMatchObject({ path: "queue.md", text: expect.stringContaining("poison") });
  });

  test("lists notes as resources, and reads one", async () => {
    const [resources, templates, read] = await Promise.all([
      answer(ask("resources/list")),
      answer(ask("resources/templates/list")),
      answer(ask("resources/read", "--uri", "note://cache.md")),
    ]);
    expect(resources).toMatchObject({ resources: [{ uri: "note://cache.md" }, { uri: "note://queue.md" }] });
    expect(templates).toMatchObject({ resourceTemplates: [{ uriTemplate: "note://{+path}" }] });
    expect(read).toMatchObject({ contents: [{ mimeType: "text/markdown", text: "# Page cache\n\nWe kept it warm." }] });
  });

  test("lists the prompt, and gets it", async () => {
    const [prompts, got] = await Promise.all([
      answer(ask("prompts/list")),
      answer(ask("prompts/get", "--prompt-name", "recall", "--prompt-args", "topic=poison")),
    ]);
    expect(prompts).toMatchObject({ prompts: [{ name: "recall", arguments: [{ name: "topic", required: true }] }] });
    expect(got).toMatchObject({ messages: [{ role: "user", content: { text: expect.stringContaining("queue.md") } }] });
  });

  test("is told of an argument that no tool takes, as a fault of the call", async () => {
    const { code, result, stderr } = await call("gestalt_read", { adress: "queue" });
    expect(code).toBe(5);
    expect(stderr).toContain("tool_is_error");
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"adress"') }] });
  });
});
