import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GestaltError } from "../../src/errors.ts";
import { folder } from "../../src/notes/folder.ts";
import type { Sweep } from "../../src/notes/source.ts";
import { largestNote } from "../../src/notes/sweep.ts";
import { cutting } from "./notes.ts";

let place: string;
let vault: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "gestalt-notes-")));
  vault = join(place, "vault");
  mkdirSync(vault);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function put(path: string, text = "text\n"): void {
  const file = join(vault, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const look = (root = vault): Sweep => folder("notes", root, cutting).sweep();
const paths = (root = vault): string[] => look(root).entries.map(({ path }) => path);
const skips = (root = vault): string[] => look(root).skipped.map(({ path, reason }) => `${path}: ${reason}`);

describe("what is a note", () => {
  test("every .md and .markdown in any letter case, at any depth, in code-unit order of the whole path", () => {
    for (const path of [
      "b.md",
      "a/z.MD",
      "a-b.md",
      "a.markdown",
      "a/é/x.Markdown",
      "a/b/c/d.md",
      "Z.md",
      "x.txt",
      "md",
      "c.mdx",
    ])
      put(path);
    expect(paths()).toEqual(["Z.md", "a-b.md", "a.markdown", "a/b/c/d.md", "a/z.MD", "a/é/x.Markdown", "b.md"]);
    expect(paths()).toEqual(paths().toSorted());
  });

  test("hidden files and folders and node_modules are left out in silence", () => {
    for (const path of [
      ".obsidian/a.md",
      ".trash/a.md",
      ".hidden.md",
      "node_modules/p/README.md",
      "deep/.git/a.md",
      "deep/node_modules/a.md",
      "a.md",
    ])
      put(path);
    expect(paths()).toEqual(["a.md"]);
    expect(skips()).toEqual([]);
  });

  test("odd names come back literally, each its own note, and can be read", () => {
    const odd = [
      "my file.md",
      "my-file.md",
      "my_file.md",
      "2026_06_16.md",
      "100%.md",
      "a'b\".md",
      "[x].md",
      "🌱 seed.md",
      "caf\u0065\u0301.md",
      "two\nlines.md",
      "*.md",
      "#x.md",
      "!x.md",
      " .md",
      "a\\b.md",
    ];
    for (const path of odd) put(path, path);
    put(".gitignore", "nothing-of-this\n");
    expect(paths()).toEqual(odd.toSorted());
    const source = folder("notes", vault, cutting);
    for (const path of odd) expect(new TextDecoder().decode(source.read(path))).toBe(path);
  });

  test("an entry holds size, inode and mtime with its fraction", () => {
    put("a.md", "12345");
    const { stat } = look().entries[0]!;
    expect(stat.size).toBe(5);
    expect(stat.ino).toBeGreaterThan(0);
    expect(Math.abs(stat.mtime - Date.now())).toBeLessThan(60_000);
  });

  test("an empty folder is an empty vault", () => {
    expect(look()).toEqual({ entries: [], skipped: [] });
  });
});

describe("one bad file does not stop a sweep", () => {
  test("a folder named x.md is reported, and the notes in it are taken", () => {
    put("x.md/inside.md");
    put("y.md");
    expect(paths()).toEqual(["x.md/inside.md", "y.md"]);
    expect(skips()).toEqual(["x.md/: is a folder, not a note; the notes in it are taken"]);
  });

  test("a file over the size limit is reported", () => {
    put("big.md");
    truncateSync(join(vault, "big.md"), largestNote + 1);
    put("fits.md");
    truncateSync(join(vault, "fits.md"), largestNote);
    expect(paths()).toEqual(["fits.md"]);
    expect(skips()).toEqual(["big.md: is larger than 8 MB"]);
  });

  test("a pipe with a note's name is reported, not opened", () => {
    Bun.spawnSync(["mkfifo", join(vault, "pipe.md")]);
    expect(skips()).toEqual(["pipe.md: is not a regular file"]);
  });

  test("an unreadable folder is reported, the rest is found", () => {
    if (process.getuid?.() === 0) return console.log("skipped: root may read everything");
    put("closed/a.md");
    put("open.md");
    chmodSync(join(vault, "closed"), 0);
    try {
      expect(paths()).toEqual(["open.md"]);
      expect(skips()).toEqual(["closed/: may not be read by this user"]);
    } finally {
      chmodSync(join(vault, "closed"), 0o700);
    }
  });

  test("reading a note that has vanished, or is a folder, says so in plain words", () => {
    put("dir.md/x.md");
    const source = folder("notes", vault, cutting);
    expect(() => source.read("gone.md")).toThrow("gone.md does not exist any more");
    expect(() => source.read("dir.md")).toThrow("dir.md is a folder, not a note");
  });

  test("nothing outside the vault is read by a path", () => {
    writeFileSync(join(place, "secret.md"), "secret");
    const source = folder("notes", vault, cutting);
    for (const path of ["../secret.md", "a/../../secret.md", join(place, "secret.md")])
      expect(() => source.read(path)).toThrow("is not a path inside the vault");
  });
});

describe("a root that is not there", () => {
  test("is an error when the source is made", () => {
    expect(() => folder("notes", join(place, "none"), cutting)).toThrow(GestaltError);
  });

  test("is an error, not an empty vault, when it vanishes later", () => {
    const source = folder("notes", vault, cutting);
    rmSync(vault, { recursive: true });
    expect(() => source.sweep()).toThrow("does not exist any more");
  });
});

describe("links", () => {
  test("the root may itself be a link; its real path is the identity", () => {
    put("a.md");
    symlinkSync(vault, join(place, "link"));
    expect(folder("notes", join(place, "link"), cutting).root).toBe(vault);
    expect(paths(join(place, "link"))).toEqual(["a.md"]);
  });

  test("one that leads out of the vault is reported, not followed", () => {
    mkdirSync(join(place, "vault-2"));
    writeFileSync(join(place, "vault-2", "secret.md"), "secret");
    symlinkSync(join(place, "vault-2"), join(vault, "out"));
    symlinkSync(join(place, "vault-2", "secret.md"), join(vault, "out.md"));
    put("a.md");
    expect(paths()).toEqual(["a.md"]);
    expect(skips()).toEqual([
      `out: is a link out of the vault, to ${place}/vault-2`,
      `out.md: is a link out of the vault, to ${place}/vault-2/secret.md`,
    ]);
  });

  test("a loop ends, and nothing is found twice", () => {
    put("a/b/x.md");
    symlinkSync(vault, join(vault, "a/b/up"));
    symlinkSync(join(vault, "a"), join(vault, "again"));
    symlinkSync(join(vault, "a/b/x.md"), join(vault, "same.md"));
    symlinkSync("self", join(vault, "self"));
    expect(paths()).toEqual(["a/b/x.md"]);
    expect(skips().toSorted()).toEqual([
      "a/b/up: is a link to the vault itself, which is in the vault already",
      "again: is a link to a, which is in the vault already",
      "same.md: is a link to a/b/x.md, which is in the vault already",
      expect.stringMatching(/^self: is a link that leads nowhere/),
    ]);
  });

  test("one to a hidden place inside the vault is followed, once", () => {
    put(".store/deep/x.md");
    put(".store/y.md");
    symlinkSync(".store", join(vault, "b-store"));
    symlinkSync(".store/deep", join(vault, "a-deep"));
    symlinkSync(".store/y.md", join(vault, "y.md"));
    put("z.md");
    expect(paths()).toEqual(["a-deep/x.md", "b-store/y.md", "z.md"]);
    expect(skips()).toEqual([
      "b-store/deep/: is in the vault already, by another way",
      "y.md: is a link to .store/y.md, which is in the vault already",
    ]);
  });

  test("one to a note that was passed over tells the same of it", () => {
    put("long.md");
    truncateSync(join(vault, "long.md"), largestNote + 1);
    symlinkSync("long.md", join(vault, "short.md"));
    expect(skips()).toEqual([
      "long.md: is larger than 8 MB",
      "short.md: is a link to long.md, which is in the vault already",
    ]);
  });

  test("a broken one is reported; one to a file that is no note is not", () => {
    symlinkSync("nowhere", join(vault, "broken"));
    writeFileSync(join(place, "picture.png"), "");
    symlinkSync(join(place, "picture.png"), join(vault, "picture.png"));
    expect(skips()).toEqual(["broken: is a link that leads nowhere (does not exist any more)"]);
  });
});
