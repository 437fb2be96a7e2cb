import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDesk } from "../../src/engine/desk.ts";
import { withEngine } from "../../src/engine/open.ts";
import { search } from "../../src/engine/search.ts";
import { type Watch, watchFolders } from "../../src/engine/watch.ts";
import { folder } from "../../src/notes/folder.ts";
import { temporaryFolder } from "../door.ts";
import { defaults, openVault } from "./vault.ts";

/** Longer than the watch stays in doubt after a change. */
const settled = () => Bun.sleep(80);

async function trusting(
  use: (root: string, quiet: () => Promise<boolean>, watch: Watch) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const root = join(folder, "notes");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(root, "sub", "a.md"), "one");
  const watch = watchFolders([root], join(folder, "own"));
  try {
    expect(await watch.quiet()).toBe(false);
    await settled();
    watch.swept(performance.now());
    await use(root, watch.quiet, watch);
  } finally {
    watch.close();
  }
}

/** A machine under load may miss one proof of silence; it never gets a wrong one. */
async function eventually(quiet: () => Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 50; i++) if (await quiet()) return true;
  return false;
}

test("is quiet while nothing changes", async () => {
  await trusting(async (_, quiet) => {
    expect(await eventually(quiet)).toBe(true);
    expect(await eventually(quiet)).toBe(true);
  });
});

const changes: Record<string, (root: string) => void> = {
  "an edit": (root) => writeFileSync(join(root, "sub", "a.md"), "two"),
  "a line at the end": (root) => appendFileSync(join(root, "sub", "a.md"), "two"),
  "a new note": (root) => writeFileSync(join(root, "b.md"), "two"),
  "a new folder": (root) => mkdirSync(join(root, "deep", "deeper"), { recursive: true }),
  "a renamed note": (root) => renameSync(join(root, "sub", "a.md"), join(root, "c.md")),
  "a removed folder": (root) => rmSync(join(root, "sub"), { recursive: true }),
  "an ignore file": (root) => writeFileSync(join(root, ".gitignore"), "sub"),
};
test.each(Object.entries(changes))("is in doubt at once after %s, and stays so until a sweep", async (_, change) => {
  await trusting(async (root, quiet) => {
    expect(await eventually(quiet)).toBe(true);
    change(root);
    expect(await quiet()).toBe(false);
    await settled();
    expect(await quiet()).toBe(false);
  });
});

test("what changes below a hidden folder is of no account", async () => {
  await trusting(async (root, quiet, watch) => {
    mkdirSync(join(root, ".git"));
    await settled();
    watch.swept(performance.now());
    writeFileSync(join(root, ".git", "index"), "x");
    expect(await eventually(quiet)).toBe(true);
  });
});

test("a watch of a folder that is not there is never quiet", async () => {
  const watch = watchFolders([join(temporaryFolder(), "gone")], join(temporaryFolder(), "own"));
  expect(await watch.quiet()).toBe(false);
  await settled();
  watch.swept(performance.now());
  expect(await watch.quiet()).toBe(false);
  watch.close();
});

test("what a dead process left is removed, what a living one has is not, and a watch takes its own away", async () => {
  const folder = temporaryFolder();
  const own = join(folder, "own");
  const dead = Bun.spawnSync(["true"]).pid;
  for (const name of [`${dead}-a`, `${process.ppid}-b`]) mkdirSync(join(own, name), { recursive: true });
  const watch = watchFolders([temporaryFolder()], own);
  await watch.quiet();
  await settled();
  const [ours, ...others] = readdirSync(own).filter((name) => name !== `${process.ppid}-b`);
  expect([ours?.startsWith(`${process.pid}-`), others]).toEqual([true, []]);
  watch.close();
  expect(readdirSync(own)).toEqual([`${process.ppid}-b`]);
});

test("an engine that watches answers from the disk as it is at the moment of the question, a hundred times", async () => {
  const vault = openVault({ "a.md": "# A\n\nzzazz\n" });
  await withEngine({ place: vault.place, settings: defaults, watch: true }, async (engine) => {
    const found = async (word: string) =>
      (await engine.search(word, { limit: 1, mode: "lexical" })).hits.map(({ path }) => path);
    expect(await found(word(0))).toEqual(["a.md"]);
    for (let i = 1; i <= 100; i++) {
      const path = i % 3 === 0 ? `sub${i}/b.md` : "a.md";
      const file = join(vault.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `# A\n\n${word(i)}\n`);
      expect(await found(word(i))).toEqual([path]);
      if (i % 7 === 0) await settled();
      if (i % 5 === 0) {
        rmSync(file);
        expect(await found(word(i))).toEqual([]);
      }
    }
  });
}, 60_000);

/** A word that shares no part with another: 12 → "zzbczz". */
const word = (i: number): string => `zz${[...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("")}zz`;

test("a question writes nothing to the index's connection: what is kept in memory for it stays good", async () => {
  const vault = openVault({ "walrus.md": "# Walrus\n\nA walrus has tusks.\n" });
  await vault.index();
  const desk = openDesk(vault.place, defaults, [folder("notes", vault.root, defaults)]);
  const changes = () => desk.database({ create: false })?.query("SELECT total_changes() AS n").get();
  try {
    const before = changes();
    expect((await search(desk, "walrus tusks", { limit: 3, mode: "lexical" })).hits.length).toBe(1);
    expect(changes()).toEqual(before);
  } finally {
    await desk.close();
  }
});
