import { expect, test } from "bun:test";
import { existsSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { withEngine } from "../../src/engine/open.ts";
import { folder } from "../../src/notes/folder.ts";
import type { NoteSource } from "../../src/notes/source.ts";
import { defaults, dump, faults, looking, openVault, type Vault } from "./vault.ts";

const paths = ["a.md", "A.md", "b/c.md", "b/C.markdown", "b/d e.md", "100%.md", "ё/笔记.md"];
const texts = [
  "",
  "plain words about a queue\n",
  "plain words about a quay!\n",
  "# Queue\n\nretry with backoff ^rule\n\n## Why\n\nsee [[a]] and `src/index.ts` #tag/sub\n",
  "---\ntitle: Queue\naliases: [line, waiting]\ntags: [x]\n---\n# Queue\n\n数据库性能 C++ camelCase\n",
  "---\nsearch: exclude\n---\nsecret queue\n",
  "---\ntitle: broken: [\n---\nqueue in a broken block\n",
  `# Long\n\n${"The retry queue grows until somebody looks at it. ".repeat(90)}\n`,
];
const questions = ["queue", '"retry queue"', "src/index.ts", "性能", "title: broken", "a"];

type Step = (vault: Vault) => unknown;
/** A step that fast-check shows by its name. */
function named(name: string, run: Step): Step {
  return Object.assign(run, { [fc.toStringMethod]: () => name });
}
const path = fc.constantFrom(...paths);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(path, fc.constantFrom(...texts))
      .map(([to, text]) => named(`write ${to} ${texts.indexOf(text)}`, (v) => v.write(to, text))),
  },
  { weight: 2, arbitrary: path.map((at) => named(`remove ${at}`, (v) => v.remove(at))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, path)
      .map(([from, to]) => named(`move ${from} ${to}`, (v) => existsSync(join(v.root, from)) && v.move(from, to))),
  },
  {
    weight: 1,
    arbitrary: path.map((at) =>
      named(`touch ${at}`, (v) => existsSync(join(v.root, at)) && utimesSync(join(v.root, at), 1, 1e9)),
    ),
  },
  { weight: 3, arbitrary: fc.constant(named("index", (v) => v.index())) },
  { weight: 2, arbitrary: fc.constant(named("ask", (v) => v.ask("queue"))) },
);

test("after any sequence of edits the index is the one that the notes as they stand give, and answers alike", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const vault = openVault();
      for (const run of steps) await run(vault);
      const { pending } = await vault.index();
      expect(pending.notes).toBe(0);
      const afresh = { ...vault.place, db: `${vault.place.db}.afresh` };
      const answers = await withEngine({ place: afresh, settings: defaults }, async (engine) => {
        await engine.index({ lexical: true });
        return await Promise.all(questions.map((text) => engine.search(text, { limit: 10, mode: "lexical" })));
      });
      expect(dump(vault.place.db)).toEqual(dump(afresh.db));
      expect(await Promise.all(questions.map((text) => vault.ask(text)))).toEqual(answers);
      expect(faults(vault.place.db)).toEqual([]);
    }),
    { numRuns: 30 },
  );
}, 120_000);

test("a run says what it found: added, changed, moved, removed, unchanged", async () => {
  const vault = openVault({ "a.md": "alpha", "b.md": "beta", "c.md": "gamma", "d.md": "delta" });
  expect(await vault.index()).toMatchObject({ added: 4, changed: 0, moved: 0, removed: 0, unchanged: 0 });
  vault.write("a.md", "alpha and more");
  vault.move("b.md", "deep/er/b2.md");
  vault.remove("c.md");
  utimesSync(join(vault.root, "d.md"), 1, 1e9);
  vault.write("e.md", "epsilon");
  expect(await vault.index()).toMatchObject({ added: 1, changed: 1, moved: 1, removed: 1, unchanged: 1 });
  expect(await vault.index()).toMatchObject({ added: 0, changed: 0, moved: 0, removed: 0, unchanged: 4 });
});

test("a question sees what was edited, renamed and deleted the moment before", async () => {
  const vault = openVault({ "a.md": "walrus", "b.md": "penguin" });
  expect(await vault.paths("walrus")).toEqual(["a.md"]);
  vault.write("a.md", "ostrich");
  expect(await vault.paths("walrus")).toEqual([]);
  expect(await vault.paths("ostrich")).toEqual(["a.md"]);
  vault.move("a.md", "Z.md");
  expect(await vault.paths("ostrich")).toEqual(["Z.md"]);
  vault.remove("Z.md");
  expect(await vault.paths("ostrich")).toEqual([]);
  vault.write("b.md", "");
  expect(await vault.paths("penguin")).toEqual([]);
  vault.write("b.md", "---\nsearch: exclude\n---\npenguin");
  expect(await vault.paths("penguin")).toEqual([]);
  vault.write("b.md", "penguin again");
  expect((await vault.ask("penguin")).index).toMatchObject({ fresh: true, pending: { notes: 0 } });
});

test("a note is read no sooner than the clock of a file system has moved on since its last save", async () => {
  const vault = openVault();
  const saved = Date.now();
  let read = 0;
  const source: NoteSource = {
    ...folder("notes", vault.root, { ceiling: 2000, overlap: 150 }),
    sweep: () => ({ entries: [{ path: "a.md", stat: { mtime: saved, size: 6, ino: 1 } }], skipped: [] }),
    read() {
      read = Date.now();
      return Buffer.from("walrus");
    },
  };
  await withEngine({ place: vault.place, settings: defaults, sources: [source] }, (engine) =>
    engine.index({ lexical: true }),
  );
  expect(read - saved).toBeGreaterThanOrEqual(10);
});

test("of two saves of equal length in a row, the second is seen", async () => {
  const vault = openVault({ "a.md": "walrus" });
  for (const word of ["falcon", "beaver", "donkey", "badger", "ferret", "jackal"]) {
    vault.write("a.md", word);
    expect(await vault.paths(word)).toEqual(["a.md"]);
  }
});

test("a rename by case alone is one note under its new name", async () => {
  const vault = openVault({ "readme.md": "walrus" });
  await vault.index();
  renameSync(join(vault.root, "readme.md"), join(vault.root, "README.md"));
  expect(await vault.index()).toMatchObject({ moved: 1, added: 0, removed: 0 });
  expect(await vault.paths("walrus")).toEqual(["README.md"]);
});

test("after a run that wrote many notes the words lie in one segment; a few edits later more are looked up, and all is found", async () => {
  const vault = openVault(
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`n${i}.md`, `# N${i}\n\nword${i} queue\n`])),
  );
  const segments = () =>
    looking(vault.place.db, (db) => db.query("SELECT count(DISTINCT segid) AS n FROM passage_text_idx").get());
  await vault.index();
  expect(segments()).toEqual({ n: 1 });
  vault.write("n7.md", "# N7\n\nchanged\n");
  await vault.index();
  expect(segments()).toEqual({ n: 2 });
  const found = async (word: string) => (await vault.ask(word)).hits.map(({ path }) => path);
  expect([(await found("word299"))[0], await found("changed")]).toEqual(["n299.md", ["n7.md"]]);
  expect(await found('"word7"')).not.toContain("n7.md");
  expect(faults(vault.place.db)).toEqual([]);
});
