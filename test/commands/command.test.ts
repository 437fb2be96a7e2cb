import { describe, expect, test } from "bun:test";
import { command, group } from "../../src/commands/command.ts";
import { GestaltError } from "../../src/errors.ts";
import { runner } from "./console.ts";

const list = command({
  name: "list",
  description: "List the models",
  args: { json: { kind: "boolean", description: "as JSON" } },
  async run({ args }) {
    console.log(args.json ? "[]" : "none");
  },
});
const find = command({
  name: "find",
  description: "Find something",
  args: {
    words: { kind: "positional", many: true, required: true, description: "what" },
    json: { kind: "boolean", description: "as JSON" },
  },
  knobs: ["limit", "vault", "stopwords"],
  async run({ args, settings }) {
    console.log(JSON.stringify({ words: args.words, ...settings }));
    return args.words.length === 1 ? 0 : 1;
  },
});
const fail = (error: unknown) =>
  command({
    name: "fail",
    description: "Stop",
    args: { json: { kind: "boolean", description: "as JSON" } },
    async run() {
      throw error;
    },
  });
const quiet = command({
  name: "quiet",
  description: "A hook",
  silent: true,
  args: {},
  async run() {
    throw new Error("in the way");
  },
});

const broken = new GestaltError("bad-index", "the \x1b[31mindex\x07 is broken", "gestalt index --force");
const loaded =
  <T>(value: T) =>
  async () => ({ default: value });
const root = group({
  name: "gestalt",
  description: "Search",
  commands: {
    find: loaded(find),
    model: loaded(group({ name: "model", description: "Models", commands: { list: loaded(list) } })),
    asked: loaded(group({ name: "asked", description: "Or else", commands: { list: loaded(list) }, otherwise: find })),
    hook: loaded(group({ name: "hook", description: "Hooks", silent: true, commands: { quiet: loaded(quiet) } })),
    broken: loaded(fail(broken)),
    bug: loaded(fail(new TypeError("x is not a function"))),
    thrown: loaded(fail("a word")),
  },
});

const run = runner(root);

describe("a command", () => {
  test("gets its words, and its knobs from flags and the table", async () => {
    const { code, out, err } = await run("find", "cats", "--limit=5", "--no-stopwords", "--vault", "a", "--vault", "b");
    expect(JSON.parse(out)).toEqual({ words: ["cats"], limit: 5, vault: ["a", "b"], stopwords: false });
    expect([code, err]).toEqual([0, ""]);
  });

  test("may say no by its exit code", async () => {
    expect((await run("find", "a", "b")).code).toBe(1);
  });

  test("is told nothing of a knob without effect; the person is", async () => {
    process.env["GESTALT_PYTHON"] = "/usr/bin/python3";
    const { code, err } = await run("find", "cats");
    expect([code, err]).toEqual([0, expect.stringMatching(/^gestalt: GESTALT_PYTHON has no effect: /)]);
    delete process.env["GESTALT_PYTHON"];
  });
});

describe("a group", () => {
  test("leads to its commands", async () => {
    expect(await run("model", "list")).toEqual({ code: 0, out: "none", err: "" });
  });

  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])(
    "alone, or asked with %p, shows its commands on stdout",
    async (argv) => {
      const { code, out, err } = await run(...argv);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain("Find something");
      expect(out).not.toContain("\x1b");
    },
  );

  test("names the nearest of an unknown command, and runs nothing", async () => {
    expect(await run("fnd", "cats")).toEqual({
      code: 1,
      out: "",
      err: "gestalt: unknown command fnd\n  try: gestalt find",
    });
    expect((await run("model", "lst")).err).toBe("gestalt: unknown command lst\n  try: gestalt model list");
  });

  test("may have a use for a first word that is none of its commands, and shows both in its help", async () => {
    expect(JSON.parse((await run("asked", "cats", "--limit", "3")).out)).toMatchObject({ words: ["cats"], limit: 3 });
    expect((await run("asked", "list")).out).toBe("none");
    expect((await run("asked", "cats", "--limt", "3")).err).toContain("--limit");
    const { out } = await run("asked", "--help");
    expect(out).toContain("List the models");
    expect(out).toContain("--limit");
  });

  test("has no command by the name of what every object has", async () => {
    expect((await run("constructor")).err).toBe("gestalt: unknown command constructor\n  try: gestalt --help");
  });
});

describe("help", () => {
  test("of a command tells its words and flags, with range, default and variable", async () => {
    const { code, out, err } = await run("find", "--help");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("<WORDS...>");
    expect(out).toContain("--limit=<1..100>");
    expect(out).toContain("default 10; GESTALT_LIMIT");
    expect(out).not.toMatch(/ $/m);
  });

  test("leaves out rare knobs, says where they stand, and takes them all the same", async () => {
    const { out } = await run("find", "--help");
    expect(out).not.toContain("stopwords");
    expect(out.trimEnd()).toEndWith("Other settings are flags of this command too: gestalt settings");
    expect((await run("list", "--help")).out).not.toContain("gestalt settings");
    expect(JSON.parse((await run("find", "x", "--no-stopwords")).out).stopwords).toBe(false);
  });

  test("is shown even beside what is missing, and by the word help", async () => {
    const first = (await run("find", "-h")).out;
    expect((await run("help", "find")).out).toBe(first);
  });
});

test.each(["--version", "-v"])("%s prints the version alone", async (flag) => {
  expect(await run(flag)).toEqual({ code: 0, out: "1.2.3", err: "" });
});

describe("a stop", () => {
  test("is two lines on stderr, with the exit code of its kind; control characters are shown, not sent", async () => {
    expect(await run("broken")).toEqual({
      code: 2,
      out: "",
      err: "gestalt: the \\x1b[31mindex\\x07 is broken\n  try: gestalt index --force",
    });
  });

  test("is an object on stdout too when JSON was asked for", async () => {
    const { code, out } = await run("broken", "--json");
    expect(JSON.parse(out)).toEqual({ error: { code: "bad-index", message: broken.message, hint: broken.hint } });
    expect(code).toBe(2);
  });

  test("for a mistyped flag names the flag and the nearest, and shows no help", async () => {
    expect(await run("find", "--limt", "5", "--json")).toEqual({
      code: 1,
      out: JSON.stringify({
        error: { code: "usage", message: "unknown option --limt", hint: "--limit, or gestalt find --help" },
      }),
      err: "gestalt: unknown option --limt\n  try: --limit, or gestalt find --help",
    });
  });

  test.each(["bug", "thrown"])("that nobody foresaw is called a bug, without a stack (%s)", async (name) => {
    const { code, err } = await run(name);
    expect(code).toBe(1);
    expect(err).toMatch(/^gestalt: this is a bug: .*\n {2}try: .*GESTALT_DEBUG=1.*$/);
  });

  test("that nobody foresaw has a stack with GESTALT_DEBUG=1", async () => {
    process.env["GESTALT_DEBUG"] = "1";
    expect((await run("bug")).err).toContain("command.test.ts");
    delete process.env["GESTALT_DEBUG"];
  });

  test("in a hook is silence and exit code 0, for an unknown hook and a bad flag too", async () => {
    for (const argv of [["quiet"], ["quiet", "--what"], ["nonsense"]])
      expect(await run("hook", ...argv)).toEqual({ code: 0, out: "", err: "" });
  });
});
