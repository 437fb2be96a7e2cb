import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inputSchema, readArguments } from "../../../src/agents/mcp/arguments.ts";
import { tools } from "../../../src/agents/tools/all.ts";
import { search } from "../../../src/agents/tools/search.ts";
import { GestaltError } from "../../../src/errors.ts";

const reading = (given: unknown) => {
  try {
    return readArguments(search, given);
  } catch (error) {
    if (error instanceof GestaltError) return error;
    throw error;
  }
};

describe("arguments are read in the forms that clients send", () => {
  test.each([
    [{ query: "a", limit: 5 }, { limit: 5 }],
    [{ query: "a", limit: "5" }, { limit: 5 }],
    [{ query: "a", limit: "5.0" }, { limit: 5 }],
    [{ query: "a", limit: null }, { limit: 10 }],
    [{ query: "a", include_restricted: "true" }, { include_restricted: true }],
    [{ query: "a", semantic: "false" }, { semantic: false }],
    [{ query: "a", tag: ["x", "y"] }, { tag: ["x", "y"] }],
    [{ query: "a", tag: '["x", "y"]' }, { tag: ["x", "y"] }],
    [{ query: "a", tag: "x" }, { tag: ["x"] }],
    [{ query: "a", tag: "[odd" }, { tag: ["[odd"] }],
    [{ query: "a", tag: [] }, { tag: [] }],
    [{ query: "a", tag: "x, y" }, { tag: ["x", "y"] }],
    [{ query: "a", tag: ["", " x "] }, { tag: ["x"] }],
    [
      { query: "a", tag: "", path: "", since: " " },
      { tag: undefined, path: undefined, since: undefined },
    ],
    [
      { query: "a", limit: "", mode: "", include_restricted: "" },
      { limit: 10, include_restricted: false },
    ],
    [{ query: 2026 }, { query: "2026" }],
    [{ query: "a", mode: "FTS" }, { mode: "lexical" }],
  ])("%j", (given, expected) => {
    expect(reading(given)).toMatchObject(expected);
  });

  test.each([
    [{ query: "a", limt: 5 }, /does not take "limt"; is "limit" meant/],
    [{ query: "a", zzzzzzzzzzzz: 5 }, /does not take "zzzzzzzzzzzz"$/],
    [{ limit: 5 }, /needs "query"/],
    [{ query: "   " }, /query of gestalt_search is " {3}"/],
    [{ query: "" }, /query of gestalt_search is ""/],
    [{ query: ["a"] }, /query of gestalt_search is \["a"\]/],
    [{ query: "a", limit: "many" }, /limit of gestalt_search is "many", not a whole number from 1 to 100/],
    [{ query: "a", limit: 0 }, /limit/],
    [{ query: "a", limit: 2.5 }, /limit/],
    [{ query: "a", mode: "best" }, /mode/],
    [{ query: "a", tag: [{}] }, /tag of gestalt_search is \[\{\}\], not a list of texts/],
    [{ query: "a", __proto__x: 1 }, /__proto__x/],
    ["query", /not an object/],
    [["a"], /not an object/],
    [undefined, /needs "query"/],
  ])("%j is refused in words that name what is wrong", (given, expected) => {
    const refused = reading(given);
    expect(refused).toBeInstanceOf(GestaltError);
    expect(refused).toMatchObject({ code: "usage", message: expect.stringMatching(expected) });
  });
});

test("no arguments whatever make reading fail in another way than by a GestaltError", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...tools), (given, tool) => {
      try {
        readArguments(tool, given);
      } catch (error) {
        expect(error).toBeInstanceOf(GestaltError);
      }
    }),
  );
});

describe.each([...tools])("$name", (tool) => {
  test("says in its schema every argument that it takes, and takes no other", () => {
    const { properties, additionalProperties } = inputSchema(tool);
    const listed = Object.keys(tool.args).filter((name) => !tool.args[name]?.unlisted);
    expect(Object.keys(properties as object)).toEqual(listed);
    expect(additionalProperties).toBe(false);
  });

  test("is described in less than 2 kB", () => {
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.description.length).toBeLessThan(2000);
    expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  });
});
