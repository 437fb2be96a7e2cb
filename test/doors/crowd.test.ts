import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openDoor } from "../door.ts";
import { dump, faults } from "../engine/vault.ts";
import { madeNotes } from "./made.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

test("two writers and forty readers at once: all end well, every answer is right, no row is there twice", async () => {
  const door = await openDoor();
  for (const [path, text] of Object.entries(madeNotes(150))) door.write(path, text);
  const at = (name: string) => ["--vault", ".", "--db", join(door.home, name)];
  expect(await door.run(["index", "--lexical", ...at("shared.db")])).toMatchObject({ code: 0 });
  for (let i = 0; i < 30; i++) door.write(`folder0/late-${i}.md`, `# Late ${i}\n\nThis is late${i}.\n`);

  const writers = [1, 2].map(() => door.run(["index", "--lexical", "--force", "--json", ...at("shared.db")]));
  const readers = Array.from({ length: 40 }, (_, i) =>
    door.run(["search", `note${i}`, "--mode", "lexical", "--json", ...at("shared.db")]),
  );
  for (const { code, stdout } of await Promise.all(writers)) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ pending: { notes: 0 }, skipped: [] });
  }
  for (const [i, { code, stdout, stderr }] of (await Promise.all(readers)).entries()) {
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).hits[0].path).toBe(`folder${i % 7}/note-${i}.md`);
  }
  await door.run(["index", "--lexical", ...at("afresh.db")]);
  expect(dump(join(door.home, "shared.db"))).toEqual(dump(join(door.home, "afresh.db")));
  expect(faults(join(door.home, "shared.db"))).toEqual([]);
});

test("two first runs at once make one whole index, with vectors", async () => {
  const door = await openDoor();
  for (const [path, text] of Object.entries(madeNotes(12))) door.write(path, text);
  const runs = await Promise.all([1, 2, 3].map(() => door.run(["index", "--vault", ".", "--json"])));
  for (const { code, stdout } of runs) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout).pending).toEqual({ notes: 0, passages: 0 });
  }
  const added = runs.map(({ stdout }) => JSON.parse(stdout).added as number);
  expect(added.toSorted((a, b) => a - b)).toEqual([0, 0, 12]);
});

test("a second writer leaves at once when told not to wait", async () => {
  const door = await openDoor();
  door.write("a.md", "walrus");
  await door.run(["index", "--vault", ".", "--lexical", "--db", join(door.home, "i.db")]);
  const { tryLock } = await import("../../src/store/lock.ts");
  const lock = tryLock(join(door.home, "i.db"));
  const refused = await door.run(["index", "--vault", ".", "--db", join(door.home, "i.db"), "--wait", "0"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("another gestalt is writing");
  door.write("b.md", "penguin");
  const { code, stdout } = await door.run([
    "search",
    "walrus",
    "--vault",
    ".",
    "--db",
    join(door.home, "i.db"),
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    hits: [{ path: "a.md" }],
    index: { fresh: false, pending: { notes: 1 } },
  });
  lock?.release();
});
