import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { loadBeir } from "../../src/bench/beir.ts";
import { beirSource, cut, documentId, documentPath, type Form, titled, whole } from "../../src/bench/source.ts";
import type { Note } from "../../src/types.ts";
import { folderWith } from "./files.ts";

const rows = [
  { _id: "b/../c", title: " A title ", text: " body\nof two lines ", metadata: { sample: "s1" } },
  { _id: "a", title: "", text: "no title", metadata: { sample: "s2" } },
  { _id: "https://x.test/?q=1#é😀", title: "No body" },
];
const dir = () =>
  folderWith({
    "corpus.jsonl": rows.map((row) => `${JSON.stringify(row)}\r\n`).join(""),
    "queries.jsonl": '{"_id":"q","text":"x"}\n',
    "qrels/test.tsv": "q\ta\t1\n",
  });

const notes = (form: Form, group?: string): Note[] => {
  const source = beirSource(loadBeir(dir(), "test"), form, group);
  return source.sweep().entries.map(({ path }) => source.parse(path, source.read(path)));
};
const passages = (note: Note | undefined) =>
  note?.sections.flatMap(({ headings, passages }) => passages.map(({ text }) => ({ headings, text })));

describe("a corpus as a source of notes", () => {
  test("gives each document once, in the order of the corpus, which is path order", () => {
    const { entries, skipped } = beirSource(loadBeir(dir(), "test"), whole).sweep();
    const paths = entries.map(({ path }) => path);
    expect(paths.map(documentId)).toEqual(rows.map(({ _id }) => _id));
    expect(paths.toSorted()).toEqual(paths);
    expect(skipped).toEqual([]);
  });

  test("gives only one group's documents when asked, under a root of its own", () => {
    const dataset = loadBeir(dir(), "test");
    const source = beirSource(dataset, whole, "s2");
    expect(source.sweep().entries.map(({ path }) => documentId(path))).toEqual(["a"]);
    expect(source.root).not.toBe(beirSource(dataset, whole).root);
  });

  test("says that a document changed when its corpus was written anew, and does not fall over it", () => {
    const folder = dir();
    const source = beirSource(loadBeir(folder, "test"), whole);
    writeFileSync(join(folder, "corpus.jsonl"), "short");
    const [first] = source.sweep().entries;
    const note = source.parse(first?.path ?? "", source.read(first?.path ?? ""));
    expect(note.warnings.map(({ message }) => message)).toEqual([
      "its line in the corpus has changed since it was opened",
    ]);
  });

  test("has no note for a path that is none of its own", () => {
    const source = beirSource(loadBeir(dir(), "test"), whole);
    expect(() => source.read("a.md")).toThrow("a.md is no document of a data set");
  });
});

describe("a path", () => {
  test("gives back the id it was made from, and its file's name, which is searched, holds no word", () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.string({ unit: "grapheme", minLength: 1 }), (ordinal, id) => {
        const path = documentPath(ordinal, id);
        expect(documentId(path)).toBe(id);
        expect(path).toMatch(/^[^/\\]+\/_\.md$/);
      }),
    );
  });
});

describe("a document", () => {
  test("as a whole is one passage under the one heading d<ordinal>, without a title", () => {
    const [first, second, third] = notes(whole);
    expect(first?.title).toBe("");
    expect(passages(first)).toEqual([{ headings: ["d0"], text: "A title   body\nof two lines" }]);
    expect(passages(second)).toEqual([{ headings: ["d1"], text: "no title" }]);
    expect(passages(third)).toEqual([{ headings: ["d2"], text: "No body" }]);
    expect(first?.sections[0]).toMatchObject({ start: 1, end: 2 });
  });

  test("with its title has the title apart, and the text as one passage", () => {
    const [first, , third] = notes(titled);
    expect(first?.title).toBe("A title");
    expect(passages(first)).toEqual([{ headings: [], text: "body\nof two lines" }]);
    expect(third?.title).toBe("No body");
    expect(passages(third)).toEqual([{ headings: [], text: "" }]);
  });

  test("cut as Markdown is what the parser makes of it, but for a title that only its path would give", () => {
    const seen: string[] = [];
    const parse = (path: string, bytes: Uint8Array): Note => {
      seen.push(new TextDecoder().decode(bytes));
      return { ...titled.note({ id: "x", ordinal: 0, title: `${path}!`, text: "t", group: undefined }, path) };
    };
    expect(notes(cut(parse)).map(({ title }) => title)).toEqual(["A title", "", "No body"]);
    expect(seen).toEqual(["# A title\n\n body\nof two lines ", "no title", "# No body\n\n"]);
  });

  test("keeps half a character in its text from breaking anything", () => {
    const folder = folderWith({
      "corpus.jsonl": '{"_id":"a","text":"\\ud83d half"}\n',
      "queries.jsonl": '{"_id":"q","text":"x"}\n',
      "qrels/test.tsv": "q\ta\t1\n",
    });
    const source = beirSource(loadBeir(folder, "test"), titled);
    const [entry] = source.sweep().entries;
    expect(source.parse(entry?.path ?? "", source.read(entry?.path ?? "")).warnings).toEqual([]);
  });
});
