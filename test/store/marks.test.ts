import { expect, test } from "bun:test";
import { openMarker } from "../../src/store/marks.ts";
import { parseQuery } from "../../src/store/query.ts";

const marked = (query: string, text: string) =>
  openMarker()
    .marks(
      [text],
      parseQuery(query, { stopWords: true }).terms.filter(({ kind }) => kind !== "together"),
    )[0]!
    .map(({ start, end }) => text.slice(start, end));

test.each([
  ["run", "She was running, he runs.", ["running", "runs"]],
  ["retry queue", "The retry queue", ["retry", "queue"]],
  ["C++", "old C++ code, cats", ["C++"]],
  ["性能", "数据库性能很好", ["性能"]],
  ["resume", "my résumé", ["résumé"]],
  ["straße", "Die Straße", ["Straße"]],
  ["🚀", "ship 🚀 now", ["🚀"]],
  ["nothing", "something else", []],
])("%s is marked in: %s", (query, text, words) => {
  expect([...new Set(marked(query, text))]).toEqual(words);
});

test("marks stand where they are, also behind characters of two units and our own mark characters", () => {
  expect(marked("queue", "🚀\u0001🚀 queue \u0002 queue")).toEqual(["queue", "queue"]);
});
