import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { give, type Parsed, parse } from "../../src/commands/arguments.ts";
import { GestaltError } from "../../src/errors.ts";

const rules = {
  limit: { kind: "integer", range: [1, 100] },
  vault: { kind: "list" },
  db: { kind: "path" },
  json: { kind: "boolean" },
} as const;
const line = (...argv: string[]): Parsed => parse(argv, rules, "gestalt x");
const errorOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof GestaltError && error.code === "usage") return `${error.message} | ${error.hint}`;
    throw error;
  }
  throw new Error("it did not stop");
};

describe("a command line", () => {
  test("has flags and words in any order", () => {
    const { flags, words } = line("a", "--limit", "5", "b", "--json", "c", "--db=x=y");
    expect(words).toEqual(["a", "b", "c"]);
    expect({ ...flags }).toEqual({ limit: ["5"], json: ["on"], db: ["x=y"] });
  });

  test("collects a repeated flag", () => {
    expect(line("--vault", "a", "--vault=b").flags["vault"]).toEqual(["a", "b"]);
  });

  test("ends its flags at --, so that text may begin with a dash", () => {
    const { flags, words } = line("--json", "--", "-sports", "--limit", "--", "-h");
    expect(words).toEqual(["-sports", "--limit", "--", "-h"]);
    expect(Object.keys(flags)).toEqual(["json"]);
  });

  test("asks for help before -- only", () => {
    expect(line("a", "-h").help).toBe(true);
    expect(line("--", "--help").help).toBe(false);
  });

  test("takes a switch back", () => {
    expect(line("--json", "--no-json").flags["json"]).toEqual(["on", "off"]);
    expect(line("--json=off").flags["json"]).toEqual(["off"]);
  });

  test("gives a number below zero to the flag before it, and takes a lone dash for a word", () => {
    expect(line("--limit", "-5", "-").flags["limit"]).toEqual(["-5"]);
    expect(line("-").words).toEqual(["-"]);
  });
});

describe("a mistyped flag is named, with the nearest", () => {
  test.each([
    ["--limt", "unknown option --limt | --limit, or gestalt x --help"],
    ["--limt=5", "unknown option --limt | --limit, or gestalt x --help"],
    ["-sports", "unknown option -sports | gestalt x --help; text that begins with a dash goes after --"],
    ["--no-limit", "unknown option --no-limit | --limit, or gestalt x --help"],
    ["--constructor", "unknown option --constructor | gestalt x --help; text that begins with a dash goes after --"],
    ["--__proto__", "unknown option --__proto__ | gestalt x --help; text that begins with a dash goes after --"],
    ["---", "unknown option --- | gestalt x --help; text that begins with a dash goes after --"],
    ["--=5", "unknown option -- | gestalt x --help; text that begins with a dash goes after --"],
  ])("%s", (word, said) => expect(errorOf(() => line(word))).toBe(said));
});

test("a flag without its value is an error, and does not eat the next flag", () => {
  const said = "--limit needs a value: a whole number from 1 to 100 | --limit 1";
  expect(errorOf(() => line("--limit"))).toBe(said);
  expect(errorOf(() => line("--limit", "--json"))).toBe(said);
  expect(errorOf(() => line("--limit", "--", "x"))).toBe(said);
});

test("any command line is taken apart or refused in words", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--limit", "--json", "--vault=x", "--no-json", "-h", "5"),
  );
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      try {
        const { words } = parse(argv, rules, "gestalt x");
        for (const word of words) expect(argv).toContain(word);
      } catch (error) {
        expect(error).toBeInstanceOf(GestaltError);
      }
    }),
  );
});

describe("what a command is given", () => {
  const args = {
    target: { kind: "positional", description: "what to read", required: true },
    rest: { kind: "positional", description: "more", many: true },
    limit: { ...rules.limit, description: "how many" },
    vault: { ...rules.vault, description: "where" },
    json: { kind: "boolean", description: "as JSON" },
  } as const;

  test("is typed, and has what was left out as undefined, false or empty", () => {
    expect(give(args, line("a", "b", "c", "--limit", "1", "--limit", "5", "--json"), "gestalt x")).toEqual({
      target: "a",
      rest: ["b", "c"],
      limit: 5,
      vault: [],
      json: true,
    });
    expect(give(args, line("a"), "gestalt x")).toEqual({
      target: "a",
      rest: [],
      limit: undefined,
      vault: [],
      json: false,
    });
  });

  test("lacks no required word, and an empty one is a word", () => {
    expect(errorOf(() => give(args, line(), "gestalt x"))).toBe(
      "gestalt x needs TARGET: what to read | gestalt x --help",
    );
    expect(give(args, line(""), "gestalt x").target).toBe("");
  });

  test("has no word too many, and no value that is not allowed", () => {
    const none = { json: args.json };
    expect(errorOf(() => give(none, line("a"), "gestalt x"))).toBe(
      'gestalt x does not know what to do with "a" | gestalt x --help',
    );
    expect(errorOf(() => give(args, line("a", "--limit=0"), "gestalt x"))).toBe(
      '--limit is "0", not a whole number from 1 to 100 | --limit 1',
    );
  });
});
