import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";
import { dump, faults, looking } from "../engine/vault.ts";
import { madeNotes } from "./made.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

const moments = 50;
let door: Door;
beforeAll(async () => {
  door = await openDoor();
});

/** Runs, and ends the run by force some time before `ms` are over. Returns whether the run came to its end first. */
async function killed(argv: readonly string[], ms: number): Promise<boolean> {
  const child = door.spawn(argv);
  await Promise.race([child.exited, Bun.sleep(Math.random() * ms)]);
  child.kill("SIGKILL");
  await child.exited;
  return child.signalCode === null;
}

const took = async (argv: readonly string[]): Promise<number> => {
  const start = performance.now();
  expect(await door.run(argv)).toMatchObject({ code: 0 });
  return performance.now() - start;
};

test.concurrent("killed at any moment of an index run, the index stays whole, holds what it held, and the next run completes it", async () => {
  const notes = madeNotes(300);
  for (const [path, text] of Object.entries(notes)) door.write(`words/${path}`, text);
  const index = (name: string) => ["index", "--lexical", "--vault", "words", "--db", join(door.home, name)];
  const whole = await took(index("whole.db"));
  let notesBefore = 0;
  for (let i = 0; i < moments; i++) {
    const name = `killed-${Math.floor(i / 5)}.db`;
    if (i % 5 === 0) notesBefore = 0;
    await killed(index(name), 1.2 * whole);
    if (!existsSync(join(door.home, name))) continue;
    expect(faults(join(door.home, name))).toEqual([]);
    const held = heldNotes(join(door.home, name));
    expect(held).toBeGreaterThanOrEqual(notesBefore);
    notesBefore = held;
  }
  for (let i = 0; i < moments / 5; i++) {
    expect(await door.run(index(`killed-${i}.db`))).toMatchObject({ code: 0, stderr: "" });
    expect(dump(join(door.home, `killed-${i}.db`))).toEqual(dump(join(door.home, "whole.db")));
  }
});

const heldNotes = (path: string): number =>
  looking(path, (db) => {
    if (db.query("SELECT 1 FROM sqlite_schema WHERE name = 'note'").get() === null) return 0;
    return db.query<{ n: number }, []>("SELECT count(*) AS n FROM note").get()?.n ?? 0;
  });

test.concurrent("killed at any moment while embedding, no stored vector is lost and the next run makes the rest", async () => {
  for (const [path, text] of Object.entries(madeNotes(20))) door.write(`meaning/${path}`, text);
  const folder = (name: number | string) => join(door.home, `meaning-${name}`);
  const index = (name: number | string) => ["index", "--vault", "meaning", "--search-dir", folder(name)];
  const whole = await took(index("whole"));
  let vectorsBefore = 0;
  for (let i = 0; i < moments; i++) {
    const name = Math.floor(i / 10);
    if (i % 10 === 0) vectorsBefore = 0;
    await killed(index(name), Math.min(whole, 800));
    const vectors = heldVectors(folder(name));
    expect(vectors).toBeGreaterThanOrEqual(vectorsBefore);
    vectorsBefore = vectors;
  }
  for (let name = 0; name < moments / 10; name++) {
    const { code, stdout } = await door.run([...index(name), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).pending).toEqual({ notes: 0, passages: 0 });
    expect(vectorRows(folder(name))).toEqual(vectorRows(folder("whole")));
  }
});

function heldVectors(folder: string): number {
  const path = join(folder, "vectors.db");
  if (!existsSync(path)) return 0;
  return looking(path, (db) => {
    const check = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    expect(check).toEqual([{ integrity_check: "ok" }]);
    if (db.query("SELECT 1 FROM sqlite_schema WHERE name = 'vector'").get() === null) return 0;
    return db.query<{ n: number }, []>("SELECT count(*) AS n FROM vector").get()?.n ?? 0;
  });
}

/** Every vector by its text's key, bit for bit. */
const vectorRows = (folder: string): unknown[] =>
  looking(join(folder, "vectors.db"), (db) =>
    db.query<never, []>("SELECT hex(key), hex(value) FROM vector ORDER BY 1").values(),
  );
