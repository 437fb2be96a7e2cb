import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AskedMode } from "../../src/engine/search.ts";
import { openVault } from "./vault.ts";

// Small notes, each of which is the one answer to a question below, and notes that look alike.
const notes = {
  "src-index.md": "# Entry\n\nThe program begins in src/index.ts and reads its arguments.\n",
  "apart.md": "# Table of words\n\nAn index of terms. The src folder holds them; ts files are compiled.\n",
  "scope.md": "# Names\n\nCall foo::bar to open the door.\n",
  "scope-apart.md": "# Bars\n\nA bar is not a foo, and foo is served at no bar of this street.\n",
  "mail.md": "# People\n\nWrite to user@example.com about invoices.\n",
  "config.md": "# Configuration\n\nSet key:value in /etc/passwd or in C:\\Users\\me on Windows.\n",
  "cpp.md": "# Languages\n\nThe engine is written in C++ since 2019.\n",
  "csharp.md": "# Clients\n\nThe client is in C# and runs on .NET everywhere.\n",
  "c.md": "# Drivers\n\nThe driver is plain C, with no library.\n",
  "cats.md":
    "# Cats\n\nCats sleep on the warm radiator; one cat can cover three chairs. Cats or dogs may come along.\n",
  "orphan.md": "# Lint\n\nThe memory-lint run reports each orphan note.\n",
  "art.md": "# Survey\n\nA state-of-the-art review of roof gardens.\n",
  "budget.md": "# Meeting\n\nRoughly, the budget is forty thousand. Don't spend it at 3 GB/s.\n",
  "decision.md": "# Decisions\n\nDEC-0054: queues have an upper bound.\n",
  "agents.md": "# Memory of agents\n\nSeveral agents share one memory, the multi-agent memory.\n",
  "case.md": "# Naming\n\nconst camelCaseName = snake_case_name + HTTPServer2;\n",
  "case-apart.md": "# Server\n\nThe http protocol needs a server. A snake has no name in this case.\n",
  "chinese.md": "# 数据\n\n我们的数据库性能在三月得到改善。\n",
  "japanese.md": "# ノート\n\n全文検索の仕組みを説明する。\n",
  "korean.md": "# 학교\n\n학생들은 도서관에서 공부한다.\n",
  "russian.md": "# Рыба\n\nСвежая рыба лежит на льду. #заметка\n",
  "resume.md": "# Work\n\nHer résumé lists the straße where the office stood. #proj/área\n",
  "sports.md": "# Weekend\n\nSports on Saturday, reading on Sunday. #笔记\n",
};

const vault = openVault(notes);
beforeAll(async () => {
  await vault.open((engine) => engine.index());
}, 60_000);

const asked: readonly (readonly [query: string, path: string])[] = [
  ["src/index.ts", "src-index.md"],
  ["foo::bar", "scope.md"],
  ["user@example.com", "mail.md"],
  ["key:value", "config.md"],
  ["/etc/passwd", "config.md"],
  ["C:\\Users\\me", "config.md"],
  ["C++", "cpp.md"],
  ["C#", "csharp.md"],
  [".NET", "csharp.md"],
  ["memory-lint orphan", "orphan.md"],
  ["state-of-the-art", "art.md"],
  ["don't", "budget.md"],
  ["GB/s", "budget.md"],
  ["what's the budget, roughly?", "budget.md"],
  ['"DEC-0054"', "decision.md"],
  ["dec-0054", "decision.md"],
  ["cats OR dogs", "cats.md"],
  ["-sports", "sports.md"],
  ["what is the multi-agent memory?", "agents.md"],
  ["where do cats sleep", "cats.md"],
  ["camelCaseName", "case.md"],
  ["CaseName", "case.md"],
  ["snake_case_name", "case.md"],
  ["HTTPServer2", "case.md"],
  ["数据库", "chinese.md"],
  ["性能", "chinese.md"],
  ["検索", "japanese.md"],
  ["학생", "korean.md"],
  ["рыба", "russian.md"],
  ["resume", "resume.md"],
  ["résumé", "resume.md"],
  ["STRASSE", "resume.md"],
  ["straße", "resume.md"],
  ["#заметка", "russian.md"],
  ["#笔记", "sports.md"],
  ["#proj/área", "resume.md"],
];

describe("by words, the note that was meant comes first", () => {
  test.each(asked)("%s → %s", async (query, path) => {
    expect((await vault.paths(query))[0]).toBe(path);
  });
});

test("by words and meaning together, it is among the first three still", async () => {
  await vault.open(async (engine) => {
    const missed: string[] = [];
    for (const [query, path] of asked) {
      const { hits, mode } = await engine.search(query, { limit: 3, mode: "auto" });
      expect(mode).toBe("hybrid");
      if (!hits.some((hit) => hit.path === path)) missed.push(query);
    }
    expect(missed).toEqual([]);
  });
}, 60_000);

test("C++ does not find every note with a word that begins with c", async () => {
  expect(await vault.paths("C++")).toEqual(["cpp.md"]);
});

test("what looks like syntax is no error, in any mode", async () => {
  const typed = ["***", "NEAR(a b)", "AND", '"', '""', "-", "(", "a AND", "col:", "^", "\u0000", "🤷", "   "];
  await vault.open(async (engine) => {
    for (const mode of ["lexical", "consensus", "auto", "dense", "hybrid"] as const)
      for (const query of typed) expect((await engine.search(query, { limit: 5, mode })).query).toBe(query);
  });
});

test("no question throws, and what comes of it can be shown: lines, order, text without control characters", async () => {
  const word = fc.oneof(
    fc.constantFrom("cats", "C++", "src/index.ts", '"', "*", "(", "NEAR", "OR", "^", ":", "-", "数据", "\u202e"),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );
  await vault.open(async (engine) => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        for (const mode of ["lexical", "consensus"] as const) {
          const { hits } = await engine.search(words.join(" "), { limit: 100, mode });
          for (const [i, hit] of hits.entries()) {
            expect(hit.start <= hit.end && hit.start >= 1).toBe(true);
            expect(hit.score).toBeLessThanOrEqual(hits[i - 1]?.score ?? Number.POSITIVE_INFINITY);
            expect(hit.snippet).not.toMatch(/\p{Cc}/u);
            expect(hit.snippet.isWellFormed()).toBe(true);
            for (const { start, end } of hit.marks) expect(start < end && end <= hit.snippet.length).toBe(true);
          }
          expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
        }
      }),
      { numRuns: 300 },
    );
  });
}, 60_000);

test("a megabyte of question is answered", async () => {
  expect((await vault.ask("cats ".repeat(200_000))).hits[0]?.path).toBe("cats.md");
  expect((await vault.ask("x".repeat(1_000_000))).hits).toEqual([]);
});

test("every hit can be read by its id and by path and line, and stands in the file where it says", async () => {
  await vault.open(async (engine) => {
    for (const [query] of asked) {
      const { hits } = await engine.search(query, { limit: 3, mode: "lexical" });
      for (const { id, path, start, end, text } of hits) {
        const lines = notes[path as keyof typeof notes].split("\n");
        expect(lines.slice(start - 1, end).join("\n")).toContain(text);
        expect((await engine.read(id)).text).toContain(text);
        expect((await engine.read(`${path}:${start}-${end}`)).text).toBe(lines.slice(start - 1, end).join("\n"));
      }
    }
  });
});

describe("on a vault of two notes scores keep their meaning", () => {
  const modes: readonly AskedMode[] = ["lexical", "auto"];
  test.each(modes)("%s: the note with the word comes first, and above nothing", async (mode) => {
    const small = openVault({ "a.md": "the walrus sleeps", "b.md": "the penguin walks" });
    const { hits } = await small.ask("walrus", mode);
    expect(hits[0]?.path).toBe("a.md");
    expect(hits[0]?.score).toBeGreaterThan(0);
  });

  test("one note alone is found too", async () => {
    expect(await openVault({ "a.md": "the walrus sleeps" }).paths("walrus")).toEqual(["a.md"]);
  });
});

test("an exact title, alias or file name comes first, whatever else repeats the word", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`n${i}.md`, `# Note ${i}\n\n${"queue budget ".repeat(20)}\n`]),
  );
  const named = openVault({
    ...many,
    "x.md": "---\ntitle: Queue\n---\nNothing else here.\n",
    "y.md": "---\naliases: [Budget]\n---\nNor here.\n",
    "queue budget.md": "Its name is its only merit.\n",
  });
  expect((await named.paths("queue"))[0]).toBe("x.md");
  expect((await named.paths("BUDGET"))[0]).toBe("y.md");
  expect((await named.paths("queue budget"))[0]).toBe("queue budget.md");
  expect((await named.paths("queue budget.md"))[0]).toBe("queue budget.md");
  named.write("v1.4.md", "# 1.4\n\nWhat is new in v1.4.10 and v1.4.11.\n");
  named.write("v1.4.10.md", "Fixed a queue.\n");
  expect((await named.paths("v1.4.10"))[0]).toBe("v1.4.10.md");
  expect((await named.paths("v1.4"))[0]).toBe("v1.4.md");
});
