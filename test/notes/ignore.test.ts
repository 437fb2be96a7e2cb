import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { folder } from "../../src/notes/folder.ts";
import { cutting } from "./notes.ts";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "gestalt-ignore-")));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
}

const paths = (root = place): string[] =>
  folder("notes", root, cutting)
    .sweep()
    .entries.map(({ path }) => path);

test("patterns, folders, comments and negation hold as in git", () => {
  put({
    ".gitignore": "# c\nbuild/\n*.tmp.md\r\n!keep.tmp.md\n/top.md\n\n",
    "build/a.md": "",
    "x/build/a.md": "",
    "a.tmp.md": "",
    "keep.tmp.md": "",
    "top.md": "",
    "x/top.md": "",
  });
  expect(paths()).toEqual(["keep.tmp.md", "x/top.md"]);
});

test("a nested file holds from its folder down and beats the one above", () => {
  put({
    ".gitignore": "drafts/\n",
    "a/.gitignore": "!drafts/\n/only-here.md\nb/c.md\n",
    "a/drafts/x.md": "",
    "b/drafts/x.md": "",
    "a/only-here.md": "",
    "a/d/only-here.md": "",
    "a/b/c.md": "",
    "a/d/b/c.md": "",
  });
  expect(paths()).toEqual(["a/d/b/c.md", "a/d/only-here.md", "a/drafts/x.md"]);
});

test(".gestaltignore has the last word, wherever it stands", () => {
  put({
    ".gestaltignore": "!private/\nlog.md\n",
    ".gitignore": "private/\n",
    "x/.gitignore": "!log.md\n",
    "private/a.md": "",
    "x/log.md": "",
    "b.md": "",
  });
  expect(paths()).toEqual(["b.md", "private/a.md"]);
});

test("for a vault inside a repository, the rules above hold up to the repository's root and no further", () => {
  put({
    ".gitignore": "*.md\n",
    "repo/.git/HEAD": "",
    "repo/.gitignore": "secret.md\n/docs/vault/old/\n",
    "repo/docs/.gitignore": "/vault/late.md\n!secret.md\n",
    "repo/docs/vault/a.md": "",
    "repo/docs/vault/secret.md": "",
    "repo/docs/vault/late.md": "",
    "repo/docs/vault/old/x.md": "",
    "repo/docs/vault/new/old/x.md": "",
  });
  expect(paths(join(place, "repo/docs/vault"))).toEqual(["a.md", "new/old/x.md", "secret.md"]);
});

test("outside of a repository, rules above the vault do not hold", () => {
  put({ ".gitignore": "*.md\n", "vault/a.md": "" });
  expect(paths(join(place, "vault"))).toEqual(["a.md"]);
});

test("a vault that its repository ignores is read all the same: it was asked for", () => {
  put({ ".git/HEAD": "", ".gitignore": "/notes/\n*.draft.md\n", "notes/a.md": "", "notes/b.md": "" });
  expect(paths(join(place, "notes"))).toEqual(["a.md", "b.md"]);
});

test("folder names that look like patterns are taken literally", () => {
  put({
    "[ab] *?/.gitignore": "x.md\n/y.md\n",
    "[ab] *?/x.md": "",
    "[ab] *?/y.md": "",
    "[ab] *?/z.md": "",
    "a/x.md": "",
    "a q/y.md": "",
    "#c/.gitignore": "x.md\n\\#y.md\n\\!z.md\n",
    "#c/x.md": "",
    "#c/#y.md": "",
    "#c/!z.md": "",
    "#c/k.md": "",
    "!d/.gitignore": "x.md",
    "!d/x.md": "",
  });
  expect(paths()).toEqual(["#c/k.md", "[ab] *?/z.md", "a q/y.md", "a/x.md"]);
});

test("what git itself would leave out is left out", () => {
  if (Bun.which("git") === null) return console.log("skipped: no git here");
  put({
    ".gitignore": "*.log.md\n/build\n**/tmp/\nfoo/*\n!foo/bar\n",
    "sub/.gitignore": "!x.log.md\n/deep/*.md\n!/deep/keep.md\nfoo/\n",
    "sub/deep/.gitignore": "*.keep.md\n",
  });
  for (const dir of [
    "",
    "build/",
    "tmp/",
    "foo/",
    "foo/bar/",
    "sub/",
    "sub/deep/",
    "sub/foo/",
    "sub/tmp/",
    "sub/build/",
  ])
    for (const name of ["x.log.md", "a.md", "keep.md", "a.keep.md"]) put({ [dir + name]: "" });
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-c", "core.excludesFile=/dev/null", ...args], { cwd: place });
  git("init", "-q");
  const listed = git("ls-files", "-z", "--others", "--exclude-standard").stdout.toString().split("\0");
  expect(readdirSync(place)).toContain(".git");
  expect(paths()).toEqual(listed.filter((path) => path.endsWith(".md")).toSorted());
});
