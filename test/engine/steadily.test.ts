import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { steadily } from "../../src/engine/steadily.ts";
import { temporaryFolder } from "../door.ts";

/** An answer during which `write` is called, the first `times` it is made; it says how often it was made. */
async function answered(times: number, write: (db: Database) => void, own = false): Promise<number> {
  const file = join(temporaryFolder(), "index.db");
  using db = new Database(file);
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE note (id INTEGER PRIMARY KEY)");
  using other = new Database(file);
  let made = 0;
  return await steadily(db, async () => {
    if (made < times) write(own ? db : other);
    return ++made;
  });
}

const insert = (db: Database): void => void db.run("INSERT INTO note DEFAULT VALUES");

test("an answer during which nothing is written is made once", async () => {
  expect(await answered(9, (db) => void db.query("SELECT * FROM note").all())).toBe(1);
});

test("an answer during which somebody wrote is made again", async () => {
  expect(await answered(1, insert)).toBe(2);
  expect(await answered(1, insert, true)).toBe(2);
});

test("where somebody writes without end it is given as it is", async () => {
  expect(await answered(99, insert)).toBe(4);
});
