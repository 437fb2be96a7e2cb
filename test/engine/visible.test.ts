import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { visible } from "../../src/engine/visible.ts";

describe("what an author hides is not shown", () => {
  test.each([
    ["an HTML comment", "a <!-- b --> c", "a  c"],
    ["one over several lines", "a <!-- b\nc\n--> d", "a  d"],
    ["one that is never closed", "a\n<!-- b\n\nc", "a\n"],
    ["an Obsidian comment", "a %%b%% c", "a  c"],
    ["a block of it", "a\n%%\nb\n%%\nc", "a\n\nc"],
    ["one that is never closed, either", "a %%b", "a "],
    ["a comment of one kind inside the other", "a %% <!-- %% b --> c", "a  b --> c"],
    ["one after a quotation that ends inside a fence", "> ```\n> a\n\n<!-- b -->c\n", "> ```\n> a\n\nc\n"],
    ["one after a sign that is escaped", "\\` <!-- b --> `c", "\\`  `c"],
    ["a definition that leads nowhere", "a\n\n[//]: # (b)\n[comment]: <> (c)\n\nd", "a\n\n\nd"],
    ["a fence inside a comment", "<!--\n```\n-->\nx <!-- y -->", "\nx "],
  ])("%s", (_, text, shown) => expect(visible(text).shown).toBe(shown));
});

describe("what only looks like a comment is shown", () => {
  test.each([
    ["in a code block", "```\n<!-- a -->\n%%b%%\n```\nc"],
    ["in a block of tildes", "~~~sh\n<!-- a -->\n~~~"],
    ["in a span of code", "a `<!-- b` c"],
    ["in a fence of a quotation", "> ```\n> <!-- a -->\n> ```\nb"],
    ["in a block of a quotation's sign", "```\n> <!-- a -->\nb\n<!-- c -->\n```"],
    ["after a backslash", "a \\<!-- b"],
    ["a definition that leads somewhere", "[a]: https://x.example (b)\n[b]: #part"],
    ["an arrow", "A --> B"],
    ["one per cent sign", "100% of 5%"],
  ])("%s", (_, text) => expect(visible(text).shown).toBe(text));
});

test("a text cut anywhere shows the same as the whole, when the cut falls between lines", () => {
  const line = fc.constantFrom(
    "a\n",
    "```\n",
    "<!--\n",
    "-->\n",
    "%%\n",
    "x %% y\n",
    "`<!--`\n",
    "~~~~\n",
    "> ```\n",
    "> <!-- a\n",
    "[//]: # (a)\n",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (first, second) => {
      const [a, b] = [first.join(""), second.join("")];
      const before = visible(a);
      expect(before.shown + visible(b, before.end).shown).toBe(visible(a + b).shown);
    }),
    { numRuns: 500 },
  );
});
