import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { extraWords, fold, spellings } from "../../src/store/words.ts";

describe("what the tokenizer cannot see becomes extra words", () => {
  test.each([
    ["camelCaseName", ["camel", "case", "name"]],
    ["HTTPServer2", ["http", "server", "2"]],
    ["parseURLFast", ["parse", "url", "fast"]],
    ["fooBar_bazQux", ["foo", "bar", "baz", "qux"]],
    ["snake_case_name", []],
    ["C++ and C# and F#", ["cplusplus", "csharp", "fsharp"]],
    [".NET beside foo.net", ["dotnet"]],
    ["C++17", ["cplusplus"]],
    ["issue#12 and #tag", []],
    ["数据库", ["数据", "据库", "库"]],
    ["GPU性能", ["gpu", "性能", "能"]],
    ["학생들", ["학생", "생들", "들"]],
    ["ship it 🚀", ["emoji1f680"]],
    ["🇩🇪", ["emoji1f1e9x1f1ea"]],
    ["ordinary English prose, with 12 numbers.", []],
  ])("%s", (text, words) => {
    expect(extraWords(text)).toEqual(words);
  });
});

test("what the tokenizer folds by itself has no other spelling, and what it does not has one", () => {
  expect(spellings("résumé, naïve Öl, plain")).toEqual([]);
  expect(spellings("straße Łódź Việt ёлка ﬁn")).toEqual(["strasse", "lodz", "viet", "елка"]);
});

test("letter case, accents and their two spellings fold to one form", () => {
  expect(["STRASSE", "straße", "Straße"].map(fold)).toEqual(["strasse", "strasse", "strasse"]);
  expect(fold("re\u0301sume\u0301")).toBe(fold("résumé"));
  expect(fold("Łódź")).toBe("lodz");
});

test("no text is too odd to take words from", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      for (const word of extraWords(text)) expect(word.length).toBeGreaterThan(0);
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});
