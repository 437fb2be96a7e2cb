import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Door, openDoor, type Said } from "../door.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

// A user without special rights: the tests' own, or nobody where they are run by root, whom no right stops.
const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const can = process.platform !== "win32" && (!isRoot || existsSync("/usr/bin/setpriv"));
if (!can) console.log("skipped: tests of folders without rights need another user than root");

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  if (!isRoot || !can) return;
  for (const path of [dirname(door.home), door.executable]) chmodSync(path, 0o755);
  for (const path of [door.home, door.notes]) chownSync(path, nobody, nobody);
});

/** Runs the executable as a user without special rights, by a shell line in which `$@` is the command. */
async function asNobody(argv: readonly string[], home = door.home, line = 'exec "$@"'): Promise<Said> {
  const user = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  const child = Bun.spawn(["bash", "-c", line, "bash", ...user, door.executable, ...argv], {
    cwd: door.notes,
    env: { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: dirname(door.home), LANG: "C.UTF-8" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

const search = ["search", "walrus", "--vault", ".", "--json"];

function expectAnswer({ code, stdout, stderr }: Said): void {
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).hits[0]).toMatchObject({ path: "a.md", start: 1, end: 3 });
}

/** Sets the rights of all folders and files below. */
function rights(path: string, folders: number, files: number): void {
  if (!statSync(path).isDirectory()) {
    chmodSync(path, files);
    return;
  }
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) rights(join(path, name), folders, files);
  chmodSync(path, folders);
}

test.skipIf(!can)("a cache that cannot be read, written or made leaves a question answered", async () => {
  door.write("a.md", "# A\n\nThe walrus sleeps.\n");
  const nowhere = join(dirname(door.home), "nowhere");
  mkdirSync(nowhere, { mode: 0o555 });
  expectAnswer(await asNobody(search, nowhere));

  expectAnswer(await asNobody(search));
  const cache = join(door.home, ".cache", "gestalt");
  chmodSync(cache, 0o000);
  const unreadable = await asNobody(search);
  const index = await asNobody(["index", "--vault", "."]);
  chmodSync(cache, 0o700);
  expectAnswer(unreadable);
  expect(index.code).toBe(2);
  expect(index.stderr).toMatch(/^gestalt: .*\n {2}try: .*\n$/);

  rights(cache, 0o500, 0o400);
  const readOnly = await asNobody(search);
  const read = await asNobody(["read", "a", "--vault", "."]);
  rights(cache, 0o700, 0o600);
  expectAnswer(readOnly);
  expect(read).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(readOnly.stdout).remarks.join()).toContain("made in memory");
});

test.skipIf(!can)(
  "a note that may not be read is named, the others are indexed, and --strict makes that exit 1",
  async () => {
    door.write("a.md", "# A\n\nThe walrus sleeps.\n");
    const secret = door.write("secret.md", "penguin");
    const folder = dirname(door.write("closed/b.md", "ostrich"));
    chmodSync(secret, 0o000);
    chmodSync(folder, 0o000);
    const db = ["--vault", ".", "--lexical", "--db", join(door.home, "strict.db")];
    const { code, stdout, stderr } = await asNobody(["index", ...db]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 added, .*2 skipped/);
    expect(stderr).toContain("skipped secret.md: ");
    expect(stderr).toContain("skipped closed/: ");
    expect((await asNobody(["index", "--strict", ...db])).code).toBe(1);
    chmodSync(secret, 0o644);
    chmodSync(folder, 0o755);
    expect((await asNobody(["index", "--strict", ...db])).stdout).toContain("2 added");
  },
);

// A limit on the size of files stands for the end of the disk: the write fails with the part that fits.
test.skipIf(!can)(
  "a disk that is full while indexing or embedding leaves the question answered and nothing broken",
  async () => {
    for (let i = 0; i < 16; i++)
      door.write(`full/${i}.md`, `# Note ${i}\n\n${`walrus${i} sleeps on the ice. `.repeat(30)}`);
    const folder = join(door.home, "small");
    const limited = (blocks: number) => `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`;
    const where = ["--vault", "full", "--search-dir", folder];
    // In blocks of a kilobyte: too few for a schema, for the words, for the vectors.
    for (const blocks of [8, 100, 200]) {
      const full = await asNobody(["search", "walrus7", "--json", ...where], door.home, limited(blocks));
      expect([blocks, full.code]).toEqual([blocks, 0]);
      expect(JSON.parse(full.stdout).hits[0].path).toBe("7.md");
      const index = await asNobody(["index", ...where], door.home, limited(blocks));
      expect([0, 2]).toContain(index.code);
      expect(index.stderr).not.toContain("this is a bug");
    }
    const whole = await asNobody(["index", "--json", ...where]);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    expect(JSON.parse(whole.stdout).pending).toEqual({ notes: 0, passages: 0 });
  },
);
