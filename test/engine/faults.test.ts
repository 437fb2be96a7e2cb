import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { GestaltError } from "../../src/errors.ts";
import { removeDatabase } from "../../src/store/open.ts";
import { faults, looking, openVault, type Vault } from "./vault.ts";

const notes = { "walrus.md": "# Walrus\n\nA walrus has tusks.\n", "deep/penguin.md": "A penguin walks.\n" };

async function code(verb: Promise<unknown>): Promise<string> {
  try {
    await verb;
    return "done";
  } catch (error) {
    return error instanceof GestaltError ? error.code : String(error);
  }
}

/** An index, closed, with nothing but its file. */
async function indexed(): Promise<Vault> {
  const vault = openVault(notes);
  await vault.index();
  looking(vault.place.db, (db) => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  return vault;
}

const spoil = {
  "eight bytes of garbage": (path: string) => writeFileSync(path, "garbage!"),
  "garbage at its beginning": (path: string) => patch(path, 0),
  "garbage in its middle": (path: string) => patch(path, 8192),
  "its second half gone": (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096),
  "its last byte gone": (path: string) => truncateSync(path, statSync(path).size - 1),
};

function patch(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + 8192);
  writeFileSync(path, bytes);
}

describe.each(Object.entries(spoil))("an index with %s", (_, harm) => {
  test("is an error that names the file and the command, or answers still; the command mends it; notes are untouched", async () => {
    const vault = await indexed();
    harm(vault.place.db);
    const verbs = [
      vault.ask("walrus"),
      vault.index(),
      vault.open((engine) => engine.read("walrus")),
      vault.open((engine) => engine.status()),
    ];
    for (const verb of verbs) expect(["bad-index", "done"]).toContain(await code(verb));
    const error = await vault.ask("tusks walrus").catch((error) => error);
    if (error instanceof GestaltError)
      expect([error.message.includes(vault.place.db), error.hint]).toEqual([true, "gestalt index --force"]);
    await vault.open((engine) => engine.index({ lexical: true, force: true }));
    expect(await vault.paths("walrus")).toEqual(["walrus.md"]);
    expect(faults(vault.place.db)).toEqual([]);
    expect(readFileSync(`${vault.root}/walrus.md`, "utf8")).toBe(notes["walrus.md"]);
  });
});

test("an index of a newer program is refused by every verb and left as it is, until it is forced", async () => {
  const vault = await indexed();
  looking(vault.place.db, (db) => db.run("PRAGMA user_version = 99"));
  expect(await code(vault.ask("walrus"))).toBe("newer-index");
  expect(await code(vault.index())).toBe("newer-index");
  expect(looking(vault.place.db, (db) => db.query("PRAGMA user_version").values())).toEqual([[99]]);
  await vault.open((engine) => engine.index({ lexical: true, force: true }));
  expect(await vault.paths("walrus")).toEqual(["walrus.md"]);
});

test("an empty file in the place of an index is filled", async () => {
  const vault = openVault(notes);
  mkdirSync(vault.place.db.replace(/[^/]+$/, ""), { recursive: true });
  writeFileSync(vault.place.db, "");
  expect(await vault.paths("penguin")).toEqual(["deep/penguin.md"]);
});

describe("where the index cannot be written", () => {
  test("a question is answered from memory, and says so; an index run says why it cannot be done", async () => {
    const vault = openVault(notes);
    // A file where the folder should be stops every user, root too.
    writeFileSync(vault.place.db.replace(/\/[^/]+$/, ""), "");
    const { hits, index, remarks } = await vault.ask("tusks");
    expect(hits.map(({ path }) => path)).toEqual(["walrus.md"]);
    expect(index.fresh).toBe(true);
    expect(remarks.join()).toContain("made in memory");
    expect(await code(vault.index())).toBe("io");
    await vault.open(async (engine) => {
      expect((await engine.read("walrus")).text).toContain("tusks");
      vault.write("walrus.md", "A walrus swims.");
      expect((await engine.search("swims", { limit: 5, mode: "lexical" })).hits).toHaveLength(1);
    });
  });
});

describe("the folder of notes", () => {
  test("gone is an error, and its notes stay in the index", async () => {
    const vault = await indexed();
    renameSync(vault.root, `${vault.root}-away`);
    expect(await code(vault.ask("walrus"))).toBe("no-vault");
    expect(await code(vault.index())).toBe("no-vault");
    renameSync(`${vault.root}-away`, vault.root);
    expect(await vault.index()).toMatchObject({ unchanged: 2, added: 0 });
  });

  test("empty in the place of another, as where a disk is not mounted, is an error, and its notes stay", async () => {
    const vault = await indexed();
    renameSync(vault.root, `${vault.root}-away`);
    mkdirSync(vault.root);
    expect(await code(vault.ask("walrus"))).toBe("no-vault");
    expect(await code(vault.index())).toBe("no-vault");
    expect(looking(vault.place.db, (db) => db.query("SELECT count(*) FROM note").values())).toEqual([[2]]);
    await vault.open((engine) => engine.index({ lexical: true, force: true }));
    expect(await vault.paths("walrus")).toEqual([]);
    rmSync(vault.root, { recursive: true });
    renameSync(`${vault.root}-away`, vault.root);
    expect(await vault.paths("walrus")).toEqual(["walrus.md"]);
  });

  test("emptied by its owner is empty in the index too", async () => {
    const vault = await indexed();
    for (const path of Object.keys(notes)) vault.remove(path);
    vault.remove("deep");
    expect(await vault.paths("walrus")).toEqual([]);
    expect(await vault.index()).toMatchObject({ unchanged: 0, pending: { notes: 0 } });
  });

  test("with another in its place is taken in anew", async () => {
    const vault = await indexed();
    rmSync(vault.root, { recursive: true });
    vault.write("ostrich.md", "An ostrich runs.");
    expect(await vault.paths("ostrich")).toEqual(["ostrich.md"]);
    expect(await vault.paths("walrus")).toEqual([]);
  });
});

test("the file of another set of vaults is not taken over by a question", async () => {
  const [one, other] = [await indexed(), openVault({ "x.md": "xylophone" })];
  mkdirSync(other.place.db.replace(/[^/]+$/, ""), { recursive: true });
  copyFileSync(one.place.db, other.place.db);
  expect(await code(other.ask("xylophone"))).toBe("usage");
  expect(existsSync(other.place.db)).toBe(true);
  await other.index();
  expect(await other.paths("xylophone")).toEqual(["x.md"]);
  expect(await other.paths("walrus")).toEqual([]);
});

test("whatever byte of an index is spoilt, a question is answered or refused in words", async () => {
  const vault = openVault(notes);
  for (let i = 0; i < 40; i++) vault.write(`many/${i}.md`, `# Note ${i}\n\n${"walrus and penguin ".repeat(i)}`);
  await vault.index();
  looking(vault.place.db, (db) => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  const whole = readFileSync(vault.place.db);
  const spoilt = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(spoilt, async (places) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of places) bytes[at] = value;
      removeDatabase(vault.place.db);
      writeFileSync(vault.place.db, bytes);
      expect(["done", "bad-index", "newer-index", "usage", "not-found"]).toContain(
        await code(vault.ask("walrus penguin")),
      );
      expect(["done", "bad-index", "newer-index", "usage", "not-found"]).toContain(await code(vault.index()));
    }),
    // The smallest that ever got through: a text that became a number, a version that became 0.
    {
      numRuns: 60,
      examples: [
        [
          [
            [141492, 0],
            [15, 0],
          ],
        ],
        [[[63, 0]]],
      ],
    },
  );
}, 60_000);
