import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Door, openDoor } from "../door.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  door.write(
    "knowledge/queue.md",
    "---\ntags: [ops/retry]\nmodified: 2026-03-01\n---\n# Retry queue\n\nThe delay is 5 s.\n\n## Cost\n\nNone.\n",
  );
  door.write("knowledge/plain.md", "# Plain\n\nNothing.\n");
}, 120_000);

const words = { env: { GESTALT_SEARCH_MODE: "lexical" } };
const idIn = (stdout: string): string => /proposed: (\S+)/.exec(stdout)?.[1] ?? "";

describe("gestalt add", () => {
  test("puts a note into the inbox, near what exists, and touches no note", async () => {
    const { code, stdout, stderr } = await door.run(["add", "Why the queue uses jitter", "--tags", "queue,ops"], {
      ...words,
      stdin: "The retry queue came back all at once.\n",
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("near: queue.md#");
    expect(existsSync(join(door.notes, "knowledge/why-the-queue-uses-jitter.md"))).toBe(false);
    const id = idIn(stdout);
    expect((await door.run(["inbox", "list"])).stdout).toContain(
      `${id}  new     why-the-queue-uses-jitter.md  added on the command line\n`,
    );
    const shown = await door.run(["inbox", "show", id]);
    expect(shown.stdout).toContain("+# Why the queue uses jitter\n");
    const accepted = await door.run(["inbox", "accept", id]);
    expect([accepted.code, accepted.stderr]).toEqual([0, ""]);
    expect((await door.run(["search", "jitter", "--files"], words)).stdout).toBe("why-the-queue-uses-jitter.md\n");
    expect((await door.run(["inbox", "list"])).stdout).toBe("nothing waits\n");
  });

  test("writes at once when told, and finds it", async () => {
    const from = door.write("draft.txt", "# Own heading\n\nA walrus.\n");
    const { code, stdout } = await door.run(["add", "Walrus", "--write", "--from", from]);
    expect([code, stdout]).toEqual([0, `written: ${join(door.notes, "knowledge/walrus.md")}\n`]);
    expect((await door.run(["search", "walrus", "--files"], words)).stdout).toBe("walrus.md\n");
    const again = await door.run(["add", "Walrus", "--write", "--from", from]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("a note called walrus.md exists")]);
  });

  test("refuses an empty text and one that is no text", async () => {
    expect((await door.run(["add", "Empty"])).stderr).toContain("the text is empty");
    writeFileSync(join(door.notes, "binary"), new Uint8Array([0xff, 0xfe, 0x00]));
    expect((await door.run(["add", "Binary", "--from", "binary"])).stderr).toContain("is not UTF-8");
  });
});

describe("gestalt inbox", () => {
  test("changes a note, keeps a copy, and refuses when the note changed meanwhile", async () => {
    const propose = (text: string) =>
      door.run(["inbox", "add", "--path", "queue.md", "--find", "5 s", "--reason", "measured", "--json"], {
        ...words,
        stdin: text,
      });
    const first = JSON.parse((await propose("7 s")).stdout);
    const second = JSON.parse((await propose("9 s")).stdout);
    expect(first.reason).toBe("measured");
    const accepted = await door.run(["inbox", "accept", first.id]);
    expect(accepted.stdout).toContain("as it was: ");
    const note = join(door.notes, "knowledge/queue.md");
    expect(readFileSync(note, "utf8")).toContain("The delay is 7 s.");
    const refused = await door.run(["inbox", "accept", second.id]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("queue.md has changed; nothing was written"),
    ]);
    expect(readFileSync(note, "utf8")).toContain("The delay is 7 s.");
    expect((await door.run(["inbox", "reject", second.id])).code).toBe(0);
    expect(JSON.parse((await door.run(["inbox", "list", "--json"])).stdout)).toEqual({ proposals: [] });
  });

  test("is told of by an id that exists", async () => {
    expect((await door.run(["inbox", "show", "nothing"])).stderr).toBe(
      'gestalt: no proposal is called "nothing"\n  try: gestalt inbox list\n',
    );
  });

  test("never writes out of the notes", async () => {
    for (const path of ["../out.md", "/tmp/out.md", ".git/x.md", "x.sh"])
      expect((await door.run(["inbox", "add", "--path", path], { stdin: "x\n" })).code).toBe(1);
    expect(existsSync(join(door.notes, "out.md"))).toBe(false);
  });
});

describe("gestalt list", () => {
  test("shows every note with date, tags and number of sections", async () => {
    const { stdout } = await door.run(["list"]);
    expect(stdout).toContain("2026-03-01  queue.md  Retry queue  #ops/retry  2 sections\n");
    expect(stdout).toContain("plain.md  Plain  1 sections\n");
  });

  test("keeps to a tag and what is below it, and to words", async () => {
    const { stdout } = await door.run(["list", "--tag", "ops", "--json"]);
    expect(JSON.parse(stdout).notes.map(({ path }: { path: string }) => path)).toEqual([
      "queue.md",
      "why-the-queue-uses-jitter.md",
    ]);
    expect((await door.run(["list", "plain"])).stdout).toContain("plain.md");
    const none = await door.run(["list", "--tag", "nothing"]);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", "gestalt: no note has these tags\n"]);
  });
});
