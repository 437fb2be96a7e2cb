import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { accept } from "../../../src/agents/inbox/accept.ts";
import { diffOf } from "../../../src/agents/inbox/diff.ts";
import { fileNameFor, notePath, noteText } from "../../../src/agents/inbox/note.ts";
import { drop, proposalCalled, waiting } from "../../../src/agents/inbox/proposal.ts";
import { type Draft, propose, remarksOn } from "../../../src/agents/inbox/propose.ts";
import { GestaltError } from "../../../src/errors.ts";

let root: string;
let state: string;
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gestalt-inbox-")));
  root = join(folder, "notes");
  state = join(folder, "state");
  mkdirSync(root);
});
afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

const asked: string[] = [];
const near = { id: "queue.md#s1", title: "Queue", headings: ["Retry"] };
const engine = () => ({
  place: { vaults: [{ name: "notes", root }], db: "", vectors: "", models: "", why: "" },
  // Only what a proposal looks at.
  search: async (query: string) => {
    asked.push(query);
    return { hits: [near, { ...near, id: "secret.md#s1", sensitivity: "restricted" }] } as never;
  },
});
const now = new Date("2026-11-30T12:00:00Z");
const draft = (changes: Partial<Draft>): Draft => ({
  title: undefined,
  path: undefined,
  text: "Text.\n",
  find: undefined,
  tags: [],
  reason: "because",
  ...changes,
});
const add = async (changes: Partial<Draft>) => (await propose(engine(), state, draft(changes), now)).proposal;
const put = (path: string, text: string): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe("a proposal", () => {
  test("touches no note, and names the nearest sections", async () => {
    const proposal = await add({
      title: "Why the queue uses jitter",
      text: "Without it all came back at once.\n",
      tags: ["queue", "ops/retry"],
    });
    expect(readdirSync(root)).toEqual([]);
    expect(proposal).toMatchObject({
      path: "why-the-queue-uses-jitter.md",
      base: undefined,
      near: [near],
      reason: "because",
      text: "---\ntags:\n  - queue\n  - ops/retry\ncreated: 2026-11-30\n---\n\n# Why the queue uses jitter\n\nWithout it all came back at once.\n",
    });
    expect(asked.at(-1)).toStartWith("Why the queue uses jitter Without it");
    expect(waiting(state).map(({ id }) => id)).toEqual([proposal.id]);
  });

  test("is for the user alone", async () => {
    const { id } = await add({ title: "A" });
    expect(statSync(join(state, "inbox", `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  test("that is accepted is written, and gone from the inbox", async () => {
    const proposal = await add({ path: "deep/er/new.md", text: "# New\n" });
    expect(accept(state, proposal)).toEqual({ file: join(root, "deep/er/new.md"), backup: undefined });
    expect(readFileSync(join(root, "deep/er/new.md"), "utf8")).toContain("# New");
    expect(waiting(state)).toEqual([]);
  });

  test("changes words that stand in a note once, and keeps a copy of what stood there", async () => {
    put("queue.md", "# Queue\r\n\r\nThe delay is 5 s.\r\n");
    chmodSync(join(root, "queue.md"), 0o600);
    const proposal = await add({ path: "queue.md", find: "5 s", text: "7 s" });
    expect(diffOf(proposal)).toContain("-The delay is 5 s.");
    expect(diffOf(proposal)).toContain("+The delay is 7 s.");
    const { backup } = accept(state, proposal);
    expect(readFileSync(join(root, "queue.md"), "utf8")).toBe("# Queue\r\n\r\nThe delay is 7 s.\r\n");
    expect(readFileSync(backup ?? "", "utf8")).toBe("# Queue\r\n\r\nThe delay is 5 s.\r\n");
    expect(statSync(join(root, "queue.md")).mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(["queue.md"]);
  });

  test("of a note that changed meanwhile is refused, and what stands there stays", async () => {
    put("queue.md", "one\n");
    const proposal = await add({ path: "queue.md", text: "two\n" });
    put("queue.md", "three\n");
    expect(remarksOn(proposal)).toEqual([expect.stringContaining("has changed since")]);
    expect(() => accept(state, proposal)).toThrow("queue.md has changed; nothing was written");
    expect(readFileSync(join(root, "queue.md"), "utf8")).toBe("three\n");
    rmSync(join(root, "queue.md"));
    expect(() => accept(state, proposal)).toThrow("queue.md is gone");
    expect(waiting(state)).toHaveLength(1);
  });

  test("of a new note that exists by now is refused; accepting twice is too", async () => {
    const proposal = await add({ title: "A" });
    accept(state, proposal);
    expect(() => accept(state, proposal)).toThrow("a.md exists by now");
  });

  test("says when it looks like it holds a secret", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { remarks } = await propose(engine(), state, draft({ title: "A", text: `token\n\n${secret}\n` }), now);
    expect(remarks).toEqual([expect.stringMatching(/^line \d+ looks like a secret$/)]);
  });

  test("is found by the beginning of its id", async () => {
    const a = await add({ title: "A" });
    const b = await add({ title: "B" });
    expect(proposalCalled(state, a.id)).toEqual(a);
    expect(proposalCalled(state, b.id.slice(0, -1))).toEqual(b);
    expect(() => proposalCalled(state, "2026")).toThrow("fits 2 proposals");
    expect(() => proposalCalled(state, "")).toThrow("no proposal");
    drop(state, a);
    expect(waiting(state)).toEqual([b]);
  });

  test("file that is broken is passed over", async () => {
    await add({ title: "A" });
    for (const [i, text] of ["{", "null", "[]", '{"id": 1}', ""].entries())
      writeFileSync(join(state, "inbox", `x${i}.json`), text);
    expect(waiting(state)).toHaveLength(1);
  });
});

describe("what cannot be proposed is refused, in words", () => {
  test.each([
    [{}, "needs a title"],
    [{ title: "!!!" }, "no letter or digit"],
    [{ title: "Taken" }, "a note called taken.md exists"],
    [{ path: "../out.md" }, "leads out of the notes"],
    [{ path: "a/../../out.md" }, "leads out of the notes"],
    [{ path: "/etc/passwd.md" }, "is not relative"],
    [{ path: "C:\\x.md" }, "is not relative"],
    [{ path: ".obsidian/x.md" }, "hidden part"],
    [{ path: ".git/hooks/x.md" }, "hidden part"],
    [{ path: "a.sh" }, "does not end in .md"],
    [{ path: "a\0.md" }, "is no name for a note"],
    [{ path: "out/x.md" }, "leads out of"],
    [{ path: "gone.md", find: "x" }, "there is no note gone.md"],
    [{ path: "taken.md", find: "nowhere" }, "do not stand in taken.md"],
    [{ path: "taken.md", find: "twice" }, "stand in taken.md 2 times"],
    [{ path: "taken.md", find: "" }, "do not stand in taken.md"],
    [{ path: "taken.md", text: " " }, "the text is empty"],
    [{ title: "A", text: "" }, "the text is empty"],
    [{ title: "A", text: "x".repeat(200_001) }, "more than 200000 characters"],
  ] satisfies [Partial<Draft>, string][])("%#: %j", async (changes, why) => {
    put("taken.md", "twice twice\n");
    symlinkSync(tmpdir(), join(root, "out"));
    const refused = add(changes);
    expect(refused).rejects.toThrow(why);
    expect(refused).rejects.toBeInstanceOf(GestaltError);
    await refused.catch(() => {});
    expect(waiting(state)).toEqual([]);
  });
});

describe("a note", () => {
  test("keeps the front matter and the heading that its text has", () => {
    expect(noteText("T", ["x"], "---\ntitle: Mine\n---\n\nBody", "2026-01-01")).toBe("---\ntitle: Mine\n---\n\nBody\n");
    expect(noteText("T", [], "\ufeff# Own\r\n\r\nBody\r\n", "2026-01-01")).toBe(
      "---\ncreated: 2026-01-01\n---\n\n# Own\n\nBody\n",
    );
  });

  test("has one line for a title, whatever was typed", () => {
    expect(noteText("A\n# B", [], "x", "2026-01-01")).toContain("\n# A # B\n");
  });

  test.each([
    ["Why the queue uses jitter?", "why-the-queue-uses-jitter.md"],
    ["  C++ / C#  ", "c-c.md"],
    ["Über Größe", "über-größe.md"],
    ["缓存 策略", "缓存-策略.md"],
    ["../../etc/passwd", "etc-passwd.md"],
    ["a".repeat(200), `${"a".repeat(80)}.md`],
  ])("called %j is the file %s", (title, name) => expect(fileNameFor(title)).toBe(name));

  test("of any title lies in the notes, under a name that can be typed", () => {
    fc.assert(
      fc.property(fc.string(), (title) => {
        let name: string;
        try {
          name = fileNameFor(title);
        } catch (error) {
          expect(error).toBeInstanceOf(GestaltError);
          return;
        }
        expect(notePath(name)).toBe(name);
        expect(existsSync(join(root, name))).toBe(false);
      }),
    );
  });
});
