import { describe, expect, test } from "bun:test";
import { basename } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { parseTOML } from "toml-eslint-parser";
import { type Client, clients, type Site } from "../../../src/agents/install/clients.ts";
import type { Editor } from "../../../src/agents/install/record.ts";
import { clientFolders } from "../../../src/settings.ts";
import { jsonText, markdownText, tomlText } from "./arbitrary.ts";

const site = (scope: Site["scope"], program = "/opt/g e/gestalt"): Site => ({
  scope,
  project: "/p",
  home: "/h",
  folders: clientFolders({ HOME: "/h" }),
  settings: "/h/.config",
  program,
  guard: true,
  audit: true,
});

const isToml = (text: string): boolean => {
  try {
    parseTOML(text);
    return true;
  } catch {
    return false;
  }
};
const textOf = (file: string): fc.Arbitrary<string> =>
  file.endsWith(".toml") ? tomlText.filter(isToml) : file.endsWith(".md") ? markdownText : jsonText;
const strictly = (text: string): unknown => parse(text, [], { allowTrailingComma: true });

const editorsAt = (client: Client, program: string): ReadonlyMap<string, Editor> =>
  new Map(
    client
      .targets(site("project", program))
      .flatMap((target) => (target.kind === "edit" ? [[target.file, target.editor] as const] : [])),
  );
const edited = Object.entries<Client>(clients).flatMap(([name, client]) =>
  [...editorsAt(client, "/opt/g e/gestalt")].map(([file, editor]) => ({
    name: `${name}, ${basename(file)}`,
    file,
    editor,
    moved: editorsAt(client, "gestalt").get(file) ?? editor,
  })),
);

describe.each(edited)("$name", ({ file, editor, moved }) => {
  test("what is put in and taken out leaves every byte as it was", () => {
    fc.assert(
      fc.property(textOf(file), (before) => {
        const { text, addition } = editor.add(before);
        expect(editor.has(text)).toBe(true);
        expect(editor.remove(text, addition)).toBe(before);
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  test("twice is once, and a program that moved is put in its own place", () => {
    fc.assert(
      fc.property(textOf(file), (before) => {
        const first = editor.add(before);
        expect(moved.has(first.text)).toBe(file.endsWith(".md"));
        const again = moved.add(moved.remove(first.text, first.addition));
        expect(moved.has(again.text)).toBe(true);
        expect(editor.remove(again.text, again.addition)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  test("when somebody edited it in between, exactly our entries go", () => {
    const edit = (text: string) =>
      text
        .replaceAll('"theme":', '"new": { "a": [1, /* x */] }, "theme":')
        .replaceAll('model = "o4"', 'model = "o5"\nadded = true')
        .replaceAll("text", "another text");
    fc.assert(
      fc.property(textOf(file), (before) => {
        const { text, addition } = editor.add(before);
        expect(editor.remove(edit(text), addition)).toBe(edit(before));
      }),
      { numRuns: 100 },
    );
  });

  test("when nothing is known of the installation, our entries go and nothing else", () => {
    fc.assert(
      fc.property(textOf(file), (before) => {
        const left = editor.remove(editor.add(before).text, undefined);
        expect(editor.remove(left, undefined)).toBe(left);
        expect(editor.has(left)).toBe(false);
        if (file.endsWith(".json"))
          expect(holds({ version: 1, ...Object(strictly(before)) }, strictly(left))).toBe(true);
        if (file.endsWith(".json")) expect(holds(strictly(left), withoutEmpty(strictly(before)) ?? {})).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  if (!/\.(toml|md)$/.test(file))
    test("nothing of the others is lost, and what is written is as strict as what was there", () => {
      fc.assert(
        fc.property(textOf(file), (before) => {
          const { text } = editor.add(before);
          const { text: bare } = editor.add("{}");
          expect(holds(strictly(text), strictly(before) ?? {})).toBe(true);
          if (isStrict(before)) expect(() => JSON.parse(text)).not.toThrow();
          expect(() => JSON.parse(bare)).not.toThrow();
        }),
        { numRuns: 100 },
      );
    });
});

/** Whether `now` has all that `was` has, in its place. */
function holds(now: unknown, was: unknown): boolean {
  if (typeof was !== "object" || was === null) return Object.is(now, was);
  if (typeof now !== "object" || now === null || Array.isArray(now) !== Array.isArray(was)) return false;
  const held = new Map(Object.entries(now));
  return Object.entries(was).every(([key, value]) => held.has(key) && holds(held.get(key), value));
}

/** A settings value without the containers that are of no use empty. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = new Set(["hooks", "mcpServers", "servers"]);
  const isEmpty = (held: unknown) => typeof held === "object" && held !== null && Object.keys(held).length === 0;
  const pruned = Object.entries(value).map(([key, held]) => {
    if (key !== "hooks" || typeof held !== "object" || held === null) return [key, held] as const;
    return [key, Object.fromEntries(Object.entries(held).filter(([, items]) => !isEmpty(items)))] as const;
  });
  return Object.fromEntries(pruned.filter(([key, held]) => !(known.has(key) && isEmpty(held))));
}

const isStrict = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("what somebody wrote beside ours stays where it is", () => {
  const server = clients.vscode.targets(site("project"))[0];
  const editor = server?.kind === "edit" ? server.editor : undefined;
  test.each([
    [
      "after ours",
      '{\n  "servers": {\n    "a": 1,\n    OURS,\n    "b": 2\n  }\n}\n',
      '{\n  "servers": {\n    "a": 1,\n    "b": 2\n  }\n}\n',
    ],
    ["before and after", '{"servers":{"a":1, OURS, "b":2}}', '{"servers":{"a":1, "b":2}}'],
    ["a comment on ours", '{"servers": {\n  // mine\n  OURS // keep\n}}', '{"servers": {\n  // mine\n   // keep\n}}'],
    ["first of several", '{ "servers": { OURS, "b": 2, } }', '{ "servers": { "b": 2, } }'],
  ])("%s", (_, text, left) => {
    const ours = '"gestalt": { "type": "stdio", "command": "/x/gestalt", "args": ["mcp"], "env": { "A": "1" } }';
    const addition = { created: [], interiors: [], lead: "", made: false };
    expect(editor?.remove(text.replace("OURS", ours), addition)).toBe(left);
  });
});

describe("what cannot be edited safely is refused, in words", () => {
  const [claude] = clients.claude.targets(site("project"));
  const [, server] = clients.claude.targets(site("project"));
  const [codex] = clients.codex.targets(site("project"));
  const add = (target: typeof claude, text: string) => () => target?.kind === "edit" && target.editor.add(text);
  test.each([
    ["an open brace", claude, '{\n  "a": 1,\n', "line 3 is not JSON"],
    ["no object", claude, "[1]", "it holds no JSON object"],
    ["hooks that are a list", claude, '{"hooks": []}', '"hooks" is array, not an object'],
    ["an event that is an object", claude, '{"hooks": {"Stop": {}}}', '"hooks.Stop" is object, not a list'],
    ["a key that stands there twice", claude, '{"hooks": {}, "hooks": {}}', '"hooks" stands there twice'],
    [
      "another server of that name",
      server,
      '{"mcpServers": {"gestalt": {"command": "python3"}}}',
      "is there already and runs something else",
    ],
    ["broken TOML", codex, "a = 1\nb = \n", "is not TOML"],
    ["another table of that name", codex, '[mcp_servers.gestalt]\ncommand = "python3"\n', "runs something else"],
    ["an inline table", codex, 'mcp_servers = { a = { command = "b" } }\n', "is not TOML"],
    [
      "a table written with dots",
      codex,
      'mcp_servers.gestalt.command = "gestalt"\nmcp_servers.gestalt.args = ["mcp"]\n',
      "not written as a table",
    ],
  ] as const)("%s", (_, target, text, why) => expect(add(target, text)).toThrow(why));
});
