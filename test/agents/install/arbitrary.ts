/** Other people's settings: random JSON with comments, trailing commas and odd spacing; random TOML; random Markdown. */
import fc from "fast-check";

/** A JSON value, with keys that our editors look for among the keys. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const word = fc.constantFrom("theme", "model", "env", "permissions", "a b", "é", "version", "x-1", "");
const leaf = fc.oneof(
  fc.constantFrom<Json>("dark", 1, -2.5e3, true, null, "gestalt", "a // b", "/* c */", ', "]}'),
  fc.string(),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const theirHook = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom(
    "lint.sh",
    "npx prettier --write",
    "/opt/x/gestalt-like hook",
    "notgestalt hook prompt",
    "gestalt status",
  ),
  timeout: fc.nat(9),
});
const group = fc.record({
  matcher: fc.constantFrom("Bash", "*", "startup"),
  hooks: fc.array(theirHook, { maxLength: 2 }),
});
const hooks = fc.dictionary(
  fc.constantFrom("SessionStart", "PreToolUse", "Stop", "sessionStart", "BeforeAgent", "Other"),
  fc.oneof(fc.array(group, { maxLength: 3 }), fc.array(theirHook, { maxLength: 2 })),
  { maxKeys: 3, noNullPrototype: true },
);
const servers = fc.dictionary(
  fc.constantFrom("github", "notes", "db"),
  fc.record({ command: word, args: fc.array(word) }),
  {
    maxKeys: 2,
    noNullPrototype: true,
  },
);

/** The value of a settings file. */
const settings = fc
  .record(
    { hooks, mcpServers: servers, servers, rest: fc.dictionary(word, value, { maxKeys: 3, noNullPrototype: true }) },
    { requiredKeys: ["rest"] },
  )
  .chain(({ rest, ...known }) => {
    const keys = [...Object.entries(known), ...Object.entries(rest).filter(([key]) => !(key in known))];
    return fc.shuffledSubarray(keys, { minLength: keys.length }).map((all): Json => Object.fromEntries(all) as Json);
  });

/** How a text is written: each choice is drawn from `bits` in turn. */
function written(value: Json, bits: readonly number[], manner: { eol: string; unit: string; flat: boolean }): string {
  let at = 0;
  const draw = (of: number) => (bits.length === 0 ? 0 : (bits[at++ % bits.length] ?? 0) % of);
  const { eol, unit, flat } = manner;
  const comment = (indent: string) => {
    if (flat) return draw(9) === 0 ? "/* c, ] */" : "";
    return ["", "", "", "", " // line ] ,", ` /* block${eol}, */`, `${eol}${indent}// own line "`, "  "][draw(8)] ?? "";
  };
  const wrap = (open: string, close: string, items: readonly string[], indent: string) => {
    if (items.length === 0)
      return (
        open + (["", "", " ", flat ? "" : eol + indent, flat ? "" : ` // empty${eol}${indent}`][draw(5)] ?? "") + close
      );
    const inner = indent + unit;
    const spread = !flat && draw(6) > 0;
    const between = spread ? eol + inner : [" ", ""][draw(2)];
    const body = items.map((item, i) => {
      const last = i === items.length - 1;
      const comma = last && draw(3) > 0 ? "" : ",";
      const note = spread ? comment(inner) : "";
      return draw(5) === 0 && spread
        ? `${item}${note}${note.includes("//") ? eol + inner : ""}${comma}`
        : `${item}${comma}${note}`;
    });
    return open + (between ?? "") + body.join(between) + (spread ? eol + indent : [" ", ""][draw(2)]) + close;
  };
  const render = (node: Json, indent: string): string => {
    if (Array.isArray(node))
      return wrap(
        "[",
        "]",
        node.map((item) => render(item, indent + unit)),
        indent,
      );
    if (typeof node !== "object" || node === null) return JSON.stringify(node);
    const members = Object.entries(node).map(
      ([key, held]) => `${JSON.stringify(key)}${[": ", ":", " : "][draw(3)]}${render(held, indent + unit)}`,
    );
    return wrap("{", "}", members, indent);
  };
  const head = ["", "", "", `// settings${flat ? eol : eol}`, eol][draw(5)] ?? "";
  return head + render(value, "") + (["", eol, eol, `${eol}// end${eol}`, `${eol}${eol}`][draw(5)] ?? "");
}

const manner = fc.record({
  eol: fc.constantFrom("\n", "\n", "\r\n"),
  unit: fc.constantFrom("  ", "    ", "\t"),
  flat: fc.boolean().map((flat) => flat),
});

/** The text of a settings file that gestalt is not in. */
export const jsonText = fc.oneof(
  {
    arbitrary: fc
      .tuple(settings, fc.array(fc.nat(997), { maxLength: 40 }), manner)
      .map(([value, bits, how]) => written(value, bits, how)),
    weight: 20,
  },
  {
    arbitrary: fc.constantFrom(
      "",
      "\n",
      "{}",
      "{}\n",
      "{\n}\n",
      "// only a comment\n",
      "/* c */",
      " \r\n",
      '{"hooks":{}}',
      '{ "hooks": { "Stop": [] } }',
    ),
    weight: 2,
  },
);

const tomlLine = fc.constantFrom(
  'model = "o4"',
  "# a comment",
  "",
  "[mcp_servers.other]",
  '[projects."/home/u/x"]',
  'trust_level = "trusted"',
  "args = [\n  \"a\", # b\n  'c',\n]",
  "[[profiles]]",
  "name.sub = 1",
  's = """\n[mcp_servers.gestalt]\n"""',
  'env = { A = "b" }',
);

/** The lines of a TOML file; not all of them make a valid one. */
export const tomlText = fc
  .tuple(fc.uniqueArray(tomlLine, { maxLength: 9 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, eol, closed]) => lines.join("\n").replaceAll("\n", eol) + (closed && lines.length > 0 ? eol : ""));

/** A Markdown file. */
export const markdownText = fc
  .tuple(
    fc.array(fc.constantFrom("# Title", "text", "", "<!-- other -->", "```\ncode\n```", "- a", "  "), { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([lines, eol, closed]) => lines.join("\n").replaceAll("\n", eol) + (closed && lines.length > 0 ? eol : ""));
