import { expect, test } from "bun:test";
import { lexical } from "../../src/store/lexical.ts";
import { askPostings, openPostings } from "../../src/store/postings.ts";
import { parseQuery } from "../../src/store/query.ts";
import { textsOf } from "./fixture.ts";

const plain = { title: 1, headings: 1, text: 1, extra: 1 };
const queries = ["cats sleep", "C++ cats", "sleep", '"cats sleep"', "nothing here", "cats sleep"].map((text) =>
  parseQuery(text, { stopWords: true }),
);

test("kept postings answer as asked ones do, also with other weights", () => {
  const db = textsOf("cats sleep on the sofa", "a cat in C++", "dogs sleep", "C and cats");
  const kept = openPostings();
  for (const weights of [plain, { ...plain, text: 2 }, plain])
    for (const query of queries) expect(lexical(db, query, weights, 9, kept)).toEqual(lexical(db, query, weights, 9));
});

test("after a change they are asked anew, and only then", () => {
  const db = textsOf("cats sleep", "cats play");
  const kept = openPostings();
  const [term] = queries[2]!.terms;
  const first = kept(db, term!, plain);
  expect(kept(db, term!, plain)).toBe(first);
  db.run("DELETE FROM passage_text WHERE rowid = ?", [first.passages.ids[0]!]);
  expect(first.passages.ids).toHaveLength(1);
  expect(kept(db, term!, plain)).toEqual(askPostings(db, term!, plain));
  expect(kept(db, term!, plain).passages.ids).toHaveLength(0);
});
