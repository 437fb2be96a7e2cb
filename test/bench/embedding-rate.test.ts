import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { noteOf } from "../../src/bench/embedding-rate.ts";
import { pythonRandom } from "../../src/bench/random.ts";
import { openTokenizer } from "../../src/models/tokenizer.ts";
import { vendoredTokenizer } from "../../src/models/vendored.ts";
import { embeddedText } from "../../src/store/embedded.ts";

test("a note to embed costs the built-in model as many tokens as it says", async () => {
  const { settings, vocabulary } = vendoredTokenizer;
  const tokenizer = await openTokenizer(settings, 512, readFileSync(vocabulary, "utf8"));
  const draw = pythonRandom(1);
  for (const tokens of [16, 250, 250, 250, 480]) {
    const [title = "", text = ""] = noteOf(tokens, draw).split("\n\n");
    expect(tokenizer.encode(embeddedText(title.slice(2), [], text.trim())).ids).toHaveLength(tokens);
  }
});
