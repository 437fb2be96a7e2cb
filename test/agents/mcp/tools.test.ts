import { describe, expect, test } from "bun:test";
import { readArguments } from "../../../src/agents/mcp/arguments.ts";
import { instructionsFor } from "../../../src/agents/mcp/instructions.ts";
import { getPrompt } from "../../../src/agents/mcp/prompts.ts";
import { listResources, readResource } from "../../../src/agents/mcp/resources.ts";
import { tools } from "../../../src/agents/tools/all.ts";
import type { Json, ReadLines } from "../../../src/agents/tools/tool.ts";
import { type Engine, withEngine } from "../../../src/engine/open.ts";
import { GestaltError } from "../../../src/errors.ts";
import { defaults, openVault } from "../../engine/vault.ts";

const vault = openVault({
  "decisions/queue.md":
    "---\ntags: [ops/retry]\nmodified: 2026-03-01\ntype: decision\n---\n# Retry queue\n\nWe dropped the retry queue for poison messages. ^why\n\n## Data Flow\n\napi -> queue -> worker\n\n## Cost\n\nSee [[budget]], [plain](../plain.md), [[Gone]] and ![[shot.png]].\n",
  "plain.md": `---\ntags: [ops]\nmodified: 2026-01-01\n---\n# Plain\n\nA word on the queue. ${"Filler text stands here. ".repeat(20)}\n`,
  "budget.md": "---\nsensitivity: restricted\n---\n# Budget\n\nThe secret queue costs 5.\n",
  "alone.md": "# Alone\n\nNothing leads here; no queue.\n",
});

const withTools = <T>(use: (call: (name: string, given?: Json) => Promise<Json>, engine: Engine) => Promise<T>) =>
  withEngine({ place: vault.place, settings: defaults }, (engine) =>
    use(async (name, given = {}) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(name);
      return await tool.run(readArguments(tool, given), { engine, cwd: vault.root });
    }, engine),
  );

const lexically = { mode: "lexical" };

describe("gestalt_search", () => {
  test("shows no word of a restricted note, says which is withheld, and shows it when the user asked", async () => {
    await withTools(async (call) => {
      const closed = await call("gestalt_search", { query: "queue", ...lexically });
      expect(JSON.stringify(closed)).not.toContain("secret");
      expect(closed["withheld"]).toEqual(["budget"]);
      const open = await call("gestalt_search", { query: "queue", ...lexically, include_restricted: "true" });
      expect(JSON.stringify(open)).toContain("secret");
      expect(open["withheld"]).toBeUndefined();
    });
  });

  test.each([
    ["queue", "decisions/queue.md", "slug-exact", "exists"],
    ["Retry queue", "decisions/queue.md", "title-exact", "exists"],
    ["cost queue", "decisions/queue.md", "title-terms", "probable"],
    ["poison messages", "decisions/queue.md", "anchor-section", "unknown"],
    ["filler text", "plain.md", "body", "unknown"],
  ])("%s: the reason for %s is %s, so whether it %s", async (query, path, evidence, safety) => {
    await withTools(async (call) => {
      const { hits } = (await call("gestalt_search", { query, ...lexically })) as { hits: Json[] };
      const found = hits.filter((hit) => hit["path"] === path);
      expect(found.map((hit) => [hit["evidence"], hit["create_safety"]])).toContainEqual([evidence, safety]);
    });
  });

  test.each([
    [{ tag: "ops" }, ["decisions/queue.md", "plain.md"]],
    [{ tag: ["#OPS/retry"] }, ["decisions/queue.md"]],
    [{ tag: ["ops", "ops/retry"] }, ["decisions/queue.md"]],
    [{ path: "decisions" }, ["decisions/queue.md"]],
    [{ path: "./decisions/" }, ["decisions/queue.md"]],
    [{ path: "*.md", tag: "ops" }, ["plain.md"]],
    [{ path: "decision" }, []],
    [{ since: "2026-02-01", tag: "ops" }, ["decisions/queue.md"]],
    [{ tag: "nobody" }, []],
  ])("%j lets through %j", async (filter, paths) => {
    await withTools(async (call) => {
      const { hits } = (await call("gestalt_search", { query: "queue", ...lexically, ...filter })) as { hits: Json[] };
      expect([...new Set(hits.map((hit) => hit["path"]))].sort()).toEqual(paths);
    });
  });

  test.each([{ path: "knowledge/decisions" }, { tag: "nobody" }, { since: "2099-01-01" }])(
    "%j lets nothing through, and the answer says that it was the filter",
    async (filter) => {
      await withTools(async (call) => {
        const { hits, remarks } = await call("gestalt_search", { query: "queue", ...lexically, ...filter });
        expect(hits).toEqual([]);
        expect(String(remarks)).toContain(
          `no hit within ${JSON.stringify({ ...filter, ...("tag" in filter && { tag: ["nobody"] }) })}`,
        );
        expect((await call("gestalt_search", { query: "zzzz", ...lexically }))["remarks"]).toBeUndefined();
      });
    },
  );

  test.each(["yesterday", "2026-13-45", "2026-02-30", "2026-1-1", "2026-01-01T00:00"])(
    "%s is no day",
    async (since) => {
      await withTools(async (call) => {
        expect(call("gestalt_search", { query: "queue", since })).rejects.toThrow(/not a day/);
      });
    },
  );

  test("a filter acts before the cut, on the note whose name was asked for too", async () => {
    await withTools(async (call) => {
      const { hits } = (await call("gestalt_search", {
        query: "Retry queue",
        ...lexically,
        limit: 1,
        path: "plain.md",
      })) as {
        hits: Json[];
      };
      expect(hits.map((hit) => hit["path"])).toEqual(["plain.md"]);
    });
  });

  test("stays within max_chars, and says what it left out", async () => {
    await withTools(async (call) => {
      const answer = await call("gestalt_search", { query: "queue", ...lexically, max_chars: 900 });
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(900);
      expect(answer["left_out"]).toBeGreaterThan(0);
      expect(JSON.stringify(answer["remarks"])).toContain("max_chars");
    });
  });

  test("the older names mean the same", async () => {
    await withTools(async (call) => {
      const now = (await call("gestalt_search", { query: "queue", ...lexically })) as { hits: Json[]; mode: string };
      const older = (await call("gestalt_search_fts", { query: "queue" })) as { hits: Json[]; mode: string };
      const semantic = (await call("gestalt_search", { query: "queue", semantic: false })) as { hits: Json[] };
      expect(older.hits).toEqual(now.hits);
      expect(older.mode).toBe("lexical");
      expect(semantic.hits).toEqual(now.hits);
    });
  });

  test("a day that is none is refused", async () => {
    await withTools(async (call) => {
      expect(call("gestalt_search", { query: "queue", since: "last week" })).rejects.toThrow(/not a day/);
    });
  });
});

describe("gestalt_read", () => {
  test("gives the lines as they stand on disk, numbered when asked", async () => {
    await withTools(async (call) => {
      const plain = await call("gestalt_read", { address: "decisions/queue.md#Data Flow" });
      expect(plain).toMatchObject({ start: 10, text: "## Data Flow\n\napi -> queue -> worker\n" });
      const numbered = await call("gestalt_read", { slug: "decisions/queue.md:10", lines: "yes" });
      expect(numbered).toMatchObject({ start: 10, end: 10, text: "10\t## Data Flow" });
    });
  });

  test("a note that is too long is cut at a line, and goes on at the address it names", async () => {
    const long = openVault({ "long.md": `# Long\n\n${"word ".repeat(60)}\n\n${"more ".repeat(80)}\n\nend\n` });
    await withEngine({ place: long.place, settings: defaults }, async (engine) => {
      const read = tools.find(({ name }) => name === "gestalt_read")!;
      let address = "long.md";
      const texts: string[] = [];
      for (let i = 0; i < 10 && address !== ""; i++) {
        const part = await read.run(readArguments(read, { address, max_chars: 500 }), { engine, cwd: long.root });
        texts.push(String(part["text"]));
        expect(String(part["text"]).length).toBeLessThanOrEqual(500);
        address = (part["left_out"] as { next: string } | undefined)?.next ?? "";
      }
      const { text } = await engine.read("long.md");
      expect(texts.join("\n")).toBe(text);
      expect(texts.length).toBeGreaterThan(1);
    });
  });

  test("tells which lines were shown word for word: by every address, and none of what was withheld", async () => {
    await withEngine({ place: vault.place, settings: defaults }, async (engine) => {
      const shown: string[] = [];
      const surface = {
        engine,
        cwd: vault.root,
        onRead: ({ path, start, end }: ReadLines) => void shown.push(`${path}:${start}-${end}`),
      };
      const tool = tools.find(({ name }) => name === "gestalt_read")!;
      const read = async (given: Json) => await tool.run(readArguments(tool, given), surface);
      for (const address of ["decisions/queue.md#data-flow", "Retry queue#Data Flow", "queue:10-12"])
        await read({ address });
      await read({ address: "queue#Data Flow", neighbours: 1 });
      await read({ address: "plain", max_chars: 500 });
      await read({ address: "budget" }).catch(() => {});
      await readResource(surface, "note://decisions/queue.md#Cost");
      await readResource(surface, "note://budget.md").catch(() => {});
      expect(shown).toEqual([
        "decisions/queue.md:10-13",
        "decisions/queue.md:10-13",
        "decisions/queue.md:10-12",
        "decisions/queue.md:6-16",
        "plain.md:1-6",
        "decisions/queue.md:14-16",
      ]);
    });
  });
  test("a restricted note is withheld", async () => {
    await withTools(async (call) => {
      expect(call("gestalt_read", { address: "budget" })).rejects.toThrow(/restricted/);
      const open = await call("gestalt_read", { address: "budget", include_restricted: true });
      expect(open["text"]).toContain("secret");
    });
  });
});

describe("gestalt_manifest and gestalt_graph", () => {
  test("without a query there are counts, with one the entries that fit; nothing of restricted notes", async () => {
    await withTools(async (call) => {
      const all = await call("gestalt_manifest");
      expect(all).toMatchObject({ notes: 3, withheld: 1, types: [{ name: "decision", notes: 1 }], entries: [] });
      expect(await call("gestalt_manifest", { query: "", limit: "" })).toEqual(all);
      const one = await call("gestalt_manifest", { query: "retry decision" });
      expect(one).toMatchObject({
        matched: 1,
        entries: [{ slug: "queue", path: "decisions/queue.md", type: "decision", links: ["plain"], blocks: ["why"] }],
      });
      expect((await call("gestalt_manifest", { query: "budget" }))["matched"]).toBe(0);
    });
  });

  test("links lead where they lead, broken ones are named, pictures are no notes", async () => {
    await withTools(async (call) => {
      const graph = await call("gestalt_graph");
      expect(graph).toMatchObject({
        notes: 3,
        withheld: 1,
        links: 1,
        hubs: [
          { slug: "plain", incoming: 1, outgoing: 0 },
          { slug: "queue", incoming: 0, outgoing: 1 },
        ],
        broken: [{ from: "queue", to: "Gone", line: 16 }],
        orphans: ["alone"],
        flows: [{ slug: "queue", start: 10, text: "## Data Flow\n\napi -> queue -> worker\n" }],
      });
      expect(await call("gestalt_graph", { note: "" })).toEqual(graph);
      const own = await call("gestalt_graph", { note: "plain" });
      expect(own).toMatchObject({ edges: [{ from: "queue", to: "plain", line: 16 }], broken: [], flows: [] });
      expect(JSON.stringify([graph, own])).not.toContain("udget");
    });
  });
});

describe("gestalt_inbox_add", () => {
  test.each(["budget.md", "./budget.md", "notes:budget.md"])(
    "says nothing of the words of a restricted note: %s",
    async (path) => {
      await withTools(async (call) => {
        for (const find of ["secret", "no such word"])
          await expect(call("gestalt_inbox_add", { path, find, text: "x", reason: "y" })).rejects.toThrow(/restricted/);
      });
    },
  );
});

describe("resources, prompt, instructions", () => {
  test("every note that is listed can be read by its uri; restricted ones are neither", async () => {
    await withTools(async (_, engine) => {
      const surface = { engine, cwd: vault.root };
      const { resources, nextCursor } = await listResources(surface, undefined);
      expect(resources.map(({ uri }) => uri)).toEqual([
        "note://alone.md",
        "note://decisions/queue.md",
        "note://plain.md",
      ]);
      expect(nextCursor).toBeUndefined();
      for (const { uri } of resources) expect((await readResource(surface, uri)).contents[0]?.text).toContain("#");
      expect(readResource(surface, "note://budget.md")).rejects.toBeInstanceOf(GestaltError);
      expect(readResource(surface, "file:///etc/passwd")).rejects.toBeInstanceOf(GestaltError);
      expect(readResource(surface, "note://../../etc/passwd")).rejects.toBeInstanceOf(GestaltError);
      expect(listResources(surface, "x")).rejects.toBeInstanceOf(GestaltError);
    });
  });

  test("names with odd characters come back by their uri", async () => {
    const odd = openVault({ "100%.md": "# a\n\nx\n", "a b#c.md": "# b\n\nx\n", "ё/笔 记.md": "# c\n\nx\n" });
    await withEngine({ place: odd.place, settings: defaults }, async (engine) => {
      const surface = { engine, cwd: odd.root };
      for (const { uri, title } of (await listResources(surface, undefined)).resources)
        expect((await readResource(surface, uri)).contents[0]?.text).toStartWith(`# ${title}`);
    });
  });

  test("recall holds the hits for its topic, and wants one", async () => {
    await withTools(async (_, engine) => {
      const surface = { engine, cwd: vault.root };
      const { messages } = await getPrompt(surface, "recall", { topic: "retry queue" });
      expect(messages[0]?.content.text).toContain("decisions/queue.md");
      expect(messages[0]?.content.text).not.toContain("secret");
      expect(getPrompt(surface, "recall", {})).rejects.toThrow(/topic/);
      expect(getPrompt(surface, "forget", {})).rejects.toThrow(/forget/);
    });
  }, 60_000);

  test("instructions name the vault and its topics in 500 characters", async () => {
    await withTools(async (_, engine) => {
      await engine.manifest({ query: "", limit: 1, withhold: true });
      const text = await instructionsFor(engine);
      expect(text.length).toBeLessThanOrEqual(500);
      expect(text).toContain(", 3 of them");
      expect(text).toContain("ops");
    });
  });
});
