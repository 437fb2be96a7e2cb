import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

// A machine at its limits is slow, and nothing here is about time.
setDefaultTimeout(300_000);

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  door.write(
    "knowledge/queue.md",
    "---\ntitle: Retry queue\naliases: [dead letters]\n---\n# Retry queue\n\nIt waits.\n\n## Delay ^delay\n\nThe delay grows: `retryDelay()`.\n\n## End\n\nAfter eight attempts ERR_GIVE_UP.\n",
  );
  door.write("knowledge/my file.md", "Walrus and penguin.\n");
  door.write("knowledge/my-file.md", "A walrus alone.\n");
  door.write("knowledge/deep/100%.md", "# Percent\n\nA hundred of a hundred.\n");
  door.write("knowledge/deep/[x] a'b\".md", "# Odd\n\nQuotes and brackets.\n");
});

const lexical = ["--mode", "lexical"];

describe("search", () => {
  test("alone in a folder that holds knowledge/, with nothing set up, answers by words and meaning", async () => {
    const { code, stdout, stderr } = await door.run(["search", "when do we stop trying", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ mode: "hybrid", index: { fresh: true, pending: { notes: 0, passages: 0 } } });
    const keys = "id vault path slug title headings block start end score snippet".split(" ");
    expect(keys.filter((key) => !(key in answer.hits[0]))).toEqual([]);
    expect(existsSync(join(door.notes, "knowledge", ".gestalt"))).toBe(false);
  });

  test("shows path, line, breadcrumb and snippet, and nothing but text where nobody asked for colour", async () => {
    const { code, stdout } = await door.run(["search", "ERR_GIVE_UP", ...lexical]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^queue\.md:13 {2}Retry queue > End {2}\(\d+\.\d\d\)\n {4}After eight attempts ERR_GIVE_UP\.\n/,
    );
    expect(stdout).not.toContain("\x1b");
  });

  test.skipIf(process.platform === "win32")("marks the words that were asked for on a terminal", async () => {
    let shown = "";
    const env = { HOME: door.home, XDG_CACHE_HOME: join(door.home, ".cache"), TERM: "xterm", GESTALT_SERVE: "off" };
    const child = Bun.spawn([door.executable, "search", "ERR_GIVE_UP", ...lexical], {
      cwd: door.notes,
      env,
      terminal: { data: (_, bytes) => (shown += Buffer.from(bytes).toString()) },
    });
    expect(await child.exited).toBe(0);
    child.terminal?.close();
    expect(shown).toContain("\x1b[1mERR_GIVE_UP\x1b[0m");
  });

  test("--files prints paths once, --full whole passages, --limit cuts", async () => {
    expect((await door.run(["search", "walrus", "--files", ...lexical])).stdout).toBe("my file.md\nmy-file.md\n");
    expect((await door.run(["search", "delay", "--full", ...lexical])).stdout).toContain(
      "The delay grows: `retryDelay()`.\n",
    );
    expect((await door.run(["search", "walrus", "--files", "--limit", "1", ...lexical])).stdout).toBe("my file.md\n");
  });

  test("all after -- is text; a mistyped flag is named with the one that was meant", async () => {
    expect((await door.run(["search", "--files", ...lexical, "--", "-walrus", "--limit"])).stdout).toContain(
      "my-file.md",
    );
    expect(await door.run(["search", "walrus", "--limt", "5"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "gestalt: unknown option --limt\n  try: --limit, or gestalt search --help\n",
    });
  });

  test("what is nowhere is said on stderr, with exit code 0 and empty hits", async () => {
    const { code, stdout, stderr } = await door.run(["search", "xylophone", ...lexical]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("nothing in your notes");
  });

  test("control characters in notes and names never reach the terminal raw", async () => {
    door.write(
      "odd/knowledge/be\u001bll.md",
      "# T\u0007itle \u001b[31mred\n\nA zebra \u001b]0;owned\u0007 \u009b31m \u202etxt.\n",
    );
    const { stdout, stderr } = await door.run(["search", "zebra", ...lexical], { cwd: join(door.notes, "odd") });
    expect(stdout).toContain("zebra");
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  test("no notes anywhere is exit code 2, and says how to name some", async () => {
    const { code, stdout, stderr } = await door.run(["search", "walrus"], { cwd: door.home });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^gestalt: no notes found .*\n {2}try: .*--vault.*\n$/);
    const json = await door.run(["search", "walrus", "--json"], { cwd: door.home });
    expect(JSON.parse(json.stdout).error.code).toBe("no-vault");
  });

  test("several vaults tell their hits apart, under the names they were given", async () => {
    const other = join(door.home, "other");
    mkdirSync(other);
    writeFileSync(join(other, "my-file.md"), "Another walrus.\n");
    const vaults = ["--vault", "work=knowledge", "--vault", `home=${other}`];
    const { stdout } = await door.run(["search", "walrus", "--files", ...lexical, ...vaults]);
    expect(stdout.trim().split("\n").sort()).toEqual(["home:my-file.md", "work:my file.md", "work:my-file.md"]);
    const read = await door.run(["read", "home:my-file.md", ...vaults]);
    expect(read).toMatchObject({ code: 0, stdout: "Another walrus.\n" });
  });

  test("a .gestalt.yml that names a folder outside its own, or what it may not set, reads nothing there", async () => {
    door.write("cloned/.gestalt.yml", `vault: ${door.home}\n`);
    const outside = await door.run(["search", "walrus"], { cwd: join(door.notes, "cloned") });
    expect(outside.code).toBe(2);
    expect(outside.stderr).toContain("outside");
    door.write("cloned/.gestalt.yml", `db: ${door.home}/stolen.db\nembed-profile: other\nlimit: 1\n`);
    door.write("cloned/a.md", "walrus");
    const settings = await door.run(["search", "walrus", "--files", ...lexical], { cwd: join(door.notes, "cloned") });
    expect(settings).toMatchObject({ code: 0, stdout: "a.md\n" });
    expect(settings.stderr).toContain('"db" may not be set among the notes');
    expect(existsSync(join(door.home, "stolen.db"))).toBe(false);
  });
});

describe("read", () => {
  test.each([
    ["queue.md", "title: Retry queue"],
    ["queue", "title: Retry queue"],
    ["Retry queue", "title: Retry queue"],
    ["dead letters", "title: Retry queue"],
    ["[[queue#End]]", "## End\n\nAfter eight"],
    ["queue#Delay", "## Delay ^delay\n\nThe delay"],
    ["queue.md#^delay", "## Delay"],
    ["queue.md:9-11", "## Delay ^delay\n\nThe delay grows: `retryDelay()`.\n"],
    ["deep/100%.md", "# Percent"],
    ["100%", "# Percent"],
    ["[x] a'b\"", "# Odd"],
    ["my file", "Walrus and penguin."],
  ])("%s", async (target, text) => {
    const { code, stdout, stderr } = await door.run(["read", target]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(text);
  });

  test("a wrong target is an error with near names, never another note", async () => {
    expect(await door.run(["read", "quue"])).toMatchObject({ code: 1, stdout: "" });
    const { code, stdout, stderr } = await door.run(["read", "queue#Dealy"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('gestalt read "queue.md#Delay"');
    expect((await door.run(["read", "queue:400"])).stderr).toContain("has 15 lines");
  });

  test("numbers lines, gives neighbours, and writes JSON with absolute lines", async () => {
    expect((await door.run(["read", "queue#End", "--lines"])).stdout).toBe(
      "13  ## End\n14  \n15  After eight attempts ERR_GIVE_UP.\n",
    );
    const { stdout } = await door.run(["read", "queue#End", "--neighbours", "1", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ path: "queue.md", start: 9, end: 15 });
  });
});

describe("index and status", () => {
  test("tell what was taken, what was skipped and why, and what was odd with file and line", async () => {
    const vault = (path: string) => `reports/${path}`;
    door.write(vault("good.md"), "# Good\n");
    door.write(vault("yaml.md"), "---\ntitle: a: b: [c\n---\nbody\n");
    door.write(vault("folder.md/inside.md"), "inside\n");
    writeFileSync(door.write(vault("binary.md"), ""), Buffer.alloc(5000, 0xff));
    symlinkSync("/etc/passwd", join(door.notes, vault("passwd.md")));
    symlinkSync(".", join(door.notes, vault("loop")));
    const flags = ["--vault", "reports", "--lexical"];
    const { code, stdout, stderr } = await door.run(["index", ...flags]);
    expect(code).toBe(0);
    expect(stdout).toContain("4 added");
    expect(stderr).toMatch(/^gestalt: yaml\.md:2: /m);
    expect(stderr).toMatch(/^gestalt: skipped passwd\.md: .*out of the vault/m);
    expect(stderr).toMatch(/^gestalt: skipped loop: /m);
    expect(stderr).toMatch(/binary\.md/);
    expect((await door.run(["index", ...flags, "--strict"])).code).toBe(1);
    const status = JSON.parse((await door.run(["status", "--vault", "reports", "--json"])).stdout);
    expect(status).toMatchObject({ pending: { notes: 0 }, vaults: [{ name: "reports", notes: 4 }] });
    expect(status.warnings.map(({ path }: { path: string }) => path)).toContain("yaml.md");
  });

  test("a vault that is away is exit code 2, and its index is as it was when it comes back", async () => {
    door.write("away/a.md", "walrus");
    await door.run(["index", "--vault", "away", "--lexical"]);
    renameSync(join(door.notes, "away"), join(door.home, "away"));
    expect((await door.run(["index", "--vault", "away"])).code).toBe(2);
    renameSync(join(door.home, "away"), join(door.notes, "away"));
    expect((await door.run(["index", "--vault", "away", "--lexical"])).stdout).toContain("1 unchanged");
  });

  test("a bad value of a setting names flag, variable and key", async () => {
    const { code, stderr } = await door.run(["search", "x"], { env: { GESTALT_LIMIT: "lots" } });
    expect(code).toBe(1);
    expect(stderr).toContain('GESTALT_LIMIT is "lots"');
    expect(stderr).toContain("--limit 10, or GESTALT_LIMIT=10");
  });
});

describe("doctor", () => {
  type Finding = { about: string; state: string; says: string; mend?: string };
  const examine = async (
    argv: readonly string[],
    env = {},
  ): Promise<{ code: number; of: (about: string) => Finding[] }> => {
    const { code, stdout } = await door.run(["doctor", "--json", ...argv], { env });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    return { code, of: (about) => findings.filter((finding) => finding.about === about) };
  };

  test("finds nothing broken where all is well, and names versions, files and settings", async () => {
    const { code, of } = await examine(["--deep"], { GESTALT_LIMIT: "7", GESTALT_LIMTI: "1" });
    expect(code).toBe(0);
    expect(of("program")[0]?.says).toContain(`Bun ${Bun.version}`);
    expect(of("SQLite")[0]?.says).toMatch(/^\d+\.\d+\.\d+/);
    expect(of("sqlite-vec")[0]?.says).toMatch(/^\d+\.\d+\.\d+, loaded from .*native/);
    expect(of("ONNX Runtime")[0]?.says).toMatch(/^\d+\.\d+\.\d+, loaded from .*native/);
    expect(of("model")[0]).toMatchObject({ state: "ok" });
    expect(of("model")[0]?.says).toContain("384 numbers");
    expect(of("notes")[0]?.says).toContain(join(door.notes, "knowledge"));
    expect(of("index")[0]?.says).toContain("whole");
    expect(of("lock")[0]?.says).toBe("free");
    expect(of("vectors")[0]?.says).toContain("whole");
    expect(of("setting").map(({ says }) => says)).toEqual([
      "limit is 7, by GESTALT_LIMIT",
      "serve is off, by GESTALT_SERVE",
      "variable GESTALT_LIMTI is unknown; is GESTALT_LIMIT meant?",
    ]);
  });

  test("names what is broken with the command that mends it, and exits with 1", async () => {
    const where = ["--vault", "knowledge", "--search-dir", join(door.home, "broken")];
    await door.run(["index", ...where]);
    const index = (await examine(where)).of("index")[0]?.says.split(":")[0] ?? "";
    for (const file of [index, join(door.home, "broken", "vectors.db")]) {
      for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
      writeFileSync(file, "garbage!");
    }
    const { code, of } = await examine(where);
    expect(code).toBe(1);
    expect(of("index")[0]).toMatchObject({ state: "broken", mend: "gestalt index --force" });
    expect(of("vectors")[0]).toMatchObject({ state: "broken", mend: "gestalt index --force" });
    await door.run(["index", "--force", ...where]);
    expect((await examine(where)).code).toBe(0);
  });

  test("sees a lock that is held, a model that is not there, and a device that is not", async () => {
    const db = join(door.home, "held.db");
    const where = ["--vault", "knowledge", "--db", db];
    await door.run(["index", "--lexical", ...where]);
    const { tryLock } = await import("../../src/store/lock.ts");
    const lock = tryLock(db);
    expect((await examine(where)).of("lock")[0]?.says).toContain("held");
    lock?.release();
    const { code, of } = await examine([...where, "--embed-profile", "multilingual-e5-small"]);
    expect(code).toBe(1);
    expect(of("model")[0]).toMatchObject({ state: "broken", mend: "gestalt model get embed/multilingual-e5-small" });
    const device = (await examine([...where, "--device", "cuda"])).of("model")[0];
    if (device?.says.includes("on cuda")) return;
    expect(device?.state).toBe("note");
    expect(device?.says).toContain("cuda cannot be used");
  });

  test("where there are no notes says so, and nothing is broken", async () => {
    const { code, stdout } = await door.run(["doctor"], { cwd: door.home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^note +notes +no notes found/m);
  });
});

describe("model and gc", () => {
  test("list names the built-in model and what can be had; verify and remove say what is not there", async () => {
    const { code, stdout } = await door.run(["model", "list", "--json"]);
    expect(code).toBe(0);
    const { models } = JSON.parse(stdout) as { models: { id: string; state: string }[] };
    expect(models.filter(({ state }) => state === "built-in")).toHaveLength(1);
    expect((await door.run(["model", "verify"])).code).toBe(0);
    expect((await door.run(["model", "remove", "multilingual-e5-small"])).code).toBe(1);
    expect(await door.run(["model", "get", "no-such-model"])).toMatchObject({ code: 1, stdout: "" });
  });

  test("import refuses a file that is not the model's, and keeps nothing of it", async () => {
    const file = door.write("weights/model.onnx", "not a graph");
    const refused = await door.run(["model", "import", "all-minilm-l6-v2", file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("SHA-256");
    const { models } = JSON.parse((await door.run(["model", "list", "--json"])).stdout);
    expect(models.find(({ id }: { id: string }) => id === "embed/all-minilm-l6-v2").state).toBe("absent");
  });

  test("gc keeps what the indexes need and drops the rest, also native parts of other versions", async () => {
    const folder = join(door.home, ".cache", "gestalt", "native");
    const [old, fresh] = ["0".repeat(32), "1".repeat(32)].map((name) => join(folder, name));
    for (const path of [old!, fresh!]) mkdirSync(path, { recursive: true });
    utimesSync(old!, 1, 1e9);
    const before = JSON.parse((await door.run(["search", "when do we stop trying", "--json"])).stdout);
    const { code, stdout } = await door.run(["gc", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).native).toEqual(["0".repeat(32)]);
    expect([existsSync(old!), existsSync(fresh!)]).toEqual([false, true]);
    const after = JSON.parse((await door.run(["search", "when do we stop trying", "--json"])).stdout);
    expect(after).toEqual(before);
  });

  test("gc beside index runs and searches leaves every passage with its vector", async () => {
    for (let i = 0; i < 8; i++) door.write(`busy/${i}.md`, `# Note ${i}\n\nWalrus ${i}.\n`);
    const where = ["--search-dir", join(door.home, "busy")];
    const runs = Array.from({ length: 4 }, async (_, i) => {
      appendFileSync(join(door.notes, `busy/${i}.md`), `\nMore of ${i}.\n`);
      const index = await door.run(["index", "--vault", "busy", ...where]);
      const gc = await door.run(["gc", ...where]);
      return [index.code, (index.stderr + gc.stderr).includes("this is a bug")];
    });
    expect(await Promise.all(runs)).toEqual(runs.map(() => [0, false]));
    const { stdout } = await door.run(["index", "--vault", "busy", "--json", ...where]);
    expect(JSON.parse(stdout).pending).toEqual({ notes: 0, passages: 0 });
    const { code, stdout: said } = await door.run(["gc", "--json", ...where]);
    expect([code, JSON.parse(said).kept > 0]).toEqual([0, true]);
  });
});
