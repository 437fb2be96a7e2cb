import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lexical, lexicalAsReference } from "../../src/store/lexical.ts";
import { noteOfPassage } from "../../src/store/notes.ts";
import { parseQuery } from "../../src/store/query.ts";
import { indexOf, noteOf, textsOf } from "./fixture.ts";

const plain = { title: 1, headings: 1, text: 1, extra: 1 };
const ask = (db: ReturnType<typeof textsOf>, query: string) =>
  lexical(db, parseQuery(query, { stopWords: true }), plain, 10).ranking.map(({ id }) => noteOfPassage(id) - 1);

describe("what a person types finds what they mean", () => {
  test.each([
    ["src/index.ts", ["index the ts of src", "see src/index.ts now", "index"], 1],
    ["foo::bar", ["bar foo", "use foo::bar", "foo"], 1],
    ["user@example.com", ["example user com", "mail user@example.com", "com"], 1],
    ["key:value", ["value key", "set key:value", "key"], 1],
    ["/etc/passwd", ["passwd etc", "read /etc/passwd", "etc"], 1],
    ["C:\\Users\\me", ["me users c", "in C:\\Users\\me", "users"], 1],
    ["C++", ["cats and C", "about C++ here", "C"], 1],
    ["C#", ["cats and C", "about C# here", "C"], 1],
    [".NET", ["net of fish", "on .NET today", "nets"], 1],
    ["CaseName", ["name a case", "camelCaseName", "CaseName itself"], 2],
    ["server", ["HTTPServer2 starts", "nothing"], 0],
    ["数据库", ["新的数据库性能", "其他的", "数学"], 0],
    ["性能", ["新的数据库性能", "其他的"], 0],
    ["検索", ["全文検索の例", "別の"], 0],
    ["학생", ["학생들이 왔다", "다른"], 0],
    ["库", ["新的数据库性能", "其他的"], 0],
    ["resume", ["my résumé", "other"], 0],
    ["résumé", ["my resume", "other"], 0],
    ["STRASSE", ["die straße", "other"], 0],
    ["straße", ["DIE STRASSE", "other"], 0],
    ["🚀", ["ship 🚀", "sink"], 0],
  ])("%s", (query, texts, first) => {
    expect(ask(textsOf(...texts), query)[0]).toBe(first);
  });

  test("any word is enough, and more words rank higher", () => {
    const db = textsOf("cats sleep on the sofa", "a sofa", "agents have memory", "where do we go");
    expect(ask(db, "where do cats sleep")[0]).toBe(0);
    expect(ask(db, "what is the multi-agent memory?")[0]).toBe(2);
  });

  test("a symbol does not find every word that begins with its letter", () => {
    expect(ask(textsOf("cats", "crabs", "the C++ way"), "C++")).toEqual([2]);
  });

  test("quoted words are a phrase, and its words are given where it stands nowhere", () => {
    const db = textsOf("queue retry", "the retry queue", "retry");
    expect(ask(db, '"retry queue"')).toEqual([1]);
    const nowhere = lexical(db, parseQuery('"queue the retry"', { stopWords: true }), plain, 10);
    expect(nowhere.relaxed).toBe(true);
    expect(nowhere.ranking.length).toBe(3);
  });

  test("stop words are dropped, but not when nothing else is left", () => {
    const db = textsOf("to be or to have", "all of it");
    expect(parseQuery("what is the answer", { stopWords: true }).terms.map(({ match }) => match)).toEqual(['"answer"']);
    expect(ask(db, "to be or to have")).toEqual([0]);
    expect(ask(db, "what is of it")).toEqual([1]);
  });
});

test("in a vault of two notes a word still counts", () => {
  const db = textsOf("retry the queue", "retry nothing");
  expect(ask(db, "retry queue")).toEqual([0, 1]);
  const { ranking } = lexical(db, parseQuery("queue", { stopWords: true }), plain, 10);
  expect(ranking[0]?.score).toBeGreaterThan(0.1);
});

test("a word in the title or a heading counts as its column's weight says", () => {
  const db = indexOf([
    noteOf("a.md", "words about other things entirely"),
    noteOf("b.md", "words about many things entirely", { title: "Queue" }),
    noteOf("c.md", "words about queue things entirely here"),
  ]);
  const query = parseQuery("queue", { stopWords: true });
  expect(lexical(db, query, { ...plain, title: 3 }, 10).ranking.map(({ id }) => noteOfPassage(id))).toEqual([2, 3]);
  expect(lexical(db, query, { ...plain, title: 0.1 }, 10).ranking.map(({ id }) => noteOfPassage(id))).toEqual([3, 2]);
});

test("a file is found by its name", () => {
  const db = indexOf([
    noteOf("x/retry-policy.md", "text", { title: "Backoff" }),
    noteOf("y.md", "text", { title: "Y" }),
  ]);
  const { ranking } = lexical(db, parseQuery("retry-policy.md", { stopWords: true }), plain, 10);
  expect(noteOfPassage(ranking[0]?.id ?? 0)).toBe(1);
});

test("no question throws, whatever is typed", () => {
  const db = textsOf("some text", "state-of-the-art C++ in 数据库");
  const hard = [
    "memory-lint orphan",
    "don't",
    "GB/s",
    '"DEC-0054"',
    "cats OR dogs",
    "NEAR(a b)",
    "***",
    "-sports",
    '"',
    "(",
    "a:b*^",
    "“x”",
  ];
  for (const query of hard) lexical(db, parseQuery(query, { stopWords: true }), plain, 10);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab"*^():-+#. 数据é🚀_\u0000\ud800{}AB1'), maxLength: 24 }),
      (query) => {
        lexical(db, parseQuery(query, { stopWords: true }), plain, 10);
      },
    ),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (query) => {
      lexical(db, parseQuery(query, { stopWords: false }), plain, 10);
    }),
  );
});

test("summed term by term, scores equal FTS5's own where no idf was floored", () => {
  const vocabulary = ["alpha", "beta", "gamma", "delta", "rare"];
  const filler = Array.from({ length: 40 }, (_, i) => `filler${i}`);
  const texts = fc.array(fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(texts, (docs) => {
      // Enough other notes that every word is rare.
      const db = textsOf(...docs.map((words) => words.join(" ")), ...filler);
      const match = vocabulary.map((word) => `"${word}"`).join(" OR ");
      const theirs = new Map(lexicalAsReference(db, match, 100).map(({ id, score }) => [id, score]));
      const words = parseQuery(vocabulary.join(" "), { stopWords: true }).terms.filter(({ kind }) => kind === "word");
      const total = docs.length + filler.length;
      for (const word of words) {
        const alone = lexical(db, { terms: [word], required: [] }, plain, 100);
        const n = alone.ranking.length;
        if (n === 0) continue;
        // ln(1 + odds) for ln(odds): each term is scaled by that, and by nothing else.
        const odds = (total - n + 0.5) / (n + 0.5);
        for (const { id, score } of alone.ranking) {
          const rest = theirs.get(id) ?? 0;
          expect(rest).toBeGreaterThan(0);
          theirs.set(id, rest - (score * Math.log(odds)) / Math.log(1 + odds) + 1e-9);
        }
      }
      for (const rest of theirs.values()) expect(Math.abs(rest)).toBeLessThan(1e-6);
    }),
    { numRuns: 30 },
  );
});
