import { describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { injectionsOf, usefulness } from "../../../src/agents/injections.ts";
import {
  claim,
  type Entry,
  everySession,
  isNew,
  isOn,
  type Ledger,
  loggedSessions,
  openLedger,
  reset,
  shownSince,
} from "../../../src/agents/ledger.ts";
import { temporaryFolder } from "../../door.ts";

type Block = Extract<Entry, { kind: "injected" }>;
const fresh = () => openLedger({ folder: temporaryFolder() }, "s1");
const block = (mark: string, ids: readonly string[], more: Partial<Block> = {}): Block => ({
  kind: "injected",
  at: "2026-10-12T10:00:00.000Z",
  mark,
  event: "prompt",
  why: "w",
  characters: 100,
  sections: ids.map((id) => ({ id, hash: "h" })),
  ...more,
});
const shown = (ledger: Ledger) => [...shownSince(ledger.entries()).keys()];

describe("a section", () => {
  test("is not shown twice in a session", () => {
    const ledger = fresh();
    expect(claim(ledger, block("m1", ["a", "b"])).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(claim(ledger, block("m2", ["b", "c"])).map(({ id }) => id)).toEqual(["c"]);
  });
  test("is shown again after a compaction", () => {
    const ledger = fresh();
    claim(ledger, block("m1", ["a"]));
    reset(ledger, "compact", new Date("2026-10-12T10:05:00Z"));
    expect(claim(ledger, block("m2", ["a"]))).toHaveLength(1);
  });
  test("is shown again when its text has changed", () => {
    const ledger = fresh();
    claim(ledger, block("m1", ["a"]));
    expect(claim(ledger, block("m2", [], { sections: [{ id: "a", hash: "other" }] }))).toHaveLength(1);
  });
  test("may be shown as text after it was only named, and not the other way round", () => {
    const named = new Map([["a", { id: "a", hash: "h", pointer: true as const }]]);
    expect(isNew(named, { id: "a", hash: "h" })).toBe(true);
    expect(isNew(named, { id: "a", hash: "h", pointer: true })).toBe(false);
    expect(isNew(new Map([["a", { id: "a", hash: "h" }]]), { id: "a", hash: "h", pointer: true })).toBe(false);
  });
  test("of a subagent's task is not what the agent itself was shown", () => {
    const ledger = fresh();
    ledger.add(block("m1", ["a"], { event: "subagent" }));
    expect(shown(ledger)).toEqual([]);
  });
});

describe("what the agent has read itself", () => {
  const read = (start: number, end: number, hash = "h"): Entry => ({
    kind: "read",
    at: "",
    section: { id: `a.md:${start}-${end}`, hash, lines: [start, end] },
  });
  const section = (start: number, end: number, more: object = {}) => ({
    id: `a.md#s${start}`,
    hash: "h",
    lines: [start, end] as const,
    ...more,
  });
  test("is not shown to it: what the lines hold, and no more", () => {
    const ledger = fresh();
    ledger.add(read(5, 12));
    const shown = shownSince(ledger.entries());
    const sections = [section(5, 12), section(6, 9), section(1, 4), section(5, 13), section(12, 20)];
    expect(sections.map((each) => isNew(shown, each))).toEqual([false, false, true, true, true]);
    expect(isNew(shown, section(6, 9, { hash: "changed" }))).toBe(true);
    expect(isNew(shown, section(6, 9, { pointer: true }))).toBe(false);
  });
  test("is known by its content, whatever note or name it was read under", () => {
    const ledger = fresh();
    ledger.add({ kind: "read", at: "", section: { id: "fbf626f17f19c114", hash: "h", lines: [1, 40] } });
    expect(isNew(shownSince(ledger.entries()), section(5, 12))).toBe(false);
  });
  test("counts as used when it was shown before", () => {
    const shown = block("m", [], { sections: [section(5, 12), section(20, 30)] });
    expect(usefulness([[shown, read(5, 12), read(20, 29)]])).toMatchObject({ sections: 2, used: 1, injections: 1 });
  });
  test("does not count among lines that were only named", () => {
    const ledger = fresh();
    ledger.add(block("m", [], { sections: [section(5, 12, { pointer: true })] }));
    expect(isNew(shownSince(ledger.entries()), { ...section(6, 9), id: "other" })).toBe(true);
  });
});

test("one compaction that is told of twice is one", () => {
  const ledger = fresh();
  reset(ledger, "compact", new Date("2026-10-12T10:00:00Z"));
  claim(ledger, block("m1", ["a"]));
  reset(ledger, "compact", new Date("2026-10-12T10:00:02Z"));
  expect(shown(ledger)).toEqual(["a"]);
  reset(ledger, "compact", new Date("2026-10-12T11:00:00Z"));
  expect(shown(ledger)).toEqual([]);
});

test("of twenty blocks written at once, each section is won by exactly one", async () => {
  const folder = temporaryFolder();
  const script = `
    import { claim, openLedger } from ${JSON.stringify(join(import.meta.dir, "../../../src/agents/ledger.ts"))};
    const won = [];
    for (let i = 0; i < 5; i++)
      won.push(...claim(openLedger({ folder: process.argv[1] }, "s"), { kind: "injected", at: "", mark: process.argv[2] + i, event: "prompt",
        why: "", characters: 0, sections: Array.from({ length: 10 }, (_, n) => ({ id: "note" + n + ".md#" + i, hash: "h" })) }).map((s) => s.id));
    console.log(JSON.stringify(won));`;
  const runs = Array.from({ length: 4 }, (_, i) =>
    Bun.spawn([process.execPath, "-e", script, folder, `m${i}-`], { stdout: "pipe", stderr: "inherit" }),
  );
  const won = (await Promise.all(runs.map((run) => new Response(run.stdout).json()))).flat() as string[];
  expect(won.length).toBe(50);
  expect(new Set(won).size).toBe(50);
}, 60_000);

test("lines that are broken or of another kind are passed over", () => {
  const folder = temporaryFolder();
  const ledger = openLedger({ folder }, "s1");
  ledger.add(block("m1", ["a"]));
  const file = join(folder, "sessions", readdirSync(join(folder, "sessions"))[0]!);
  appendFileSync(
    file,
    '{"kind":"inj\nnull\n[]\n{"kind":"other"}\n{"kind":"injected","sections":[1,{"id":2},null]}\n\0\0\n',
  );
  ledger.add(block("m2", ["b"]));
  expect(shown(ledger)).toEqual(["a", "b"]);
});

test("a session's name cannot lead out of the folder", () => {
  const folder = temporaryFolder();
  for (const name of ["../../x", "/etc/passwd", "a/b", "..", "", "x".repeat(5000), "C:\\x", "a\0b"])
    openLedger({ folder }, name).add({ kind: "off", at: "" });
  expect(readdirSync(folder)).toEqual(["sessions"]);
  expect(loggedSessions({ folder })).toHaveLength(8);
});

describe("hooks are silent", () => {
  test("when a session is off, until it is on", () => {
    const state = { folder: temporaryFolder() };
    const [one, two] = [openLedger(state, "one"), openLedger(state, "two")];
    one.add({ kind: "off", at: "" });
    expect([isOn(state, one), isOn(state, two)]).toEqual([false, true]);
    one.add({ kind: "on", at: "" });
    expect(isOn(state, one)).toBe(true);
  });
  test("when all sessions are off, but for one that is on by its own word", () => {
    const state = { folder: temporaryFolder() };
    openLedger(state, everySession).add({ kind: "off", at: "" });
    const [one, two] = [openLedger(state, "one"), openLedger(state, "two")];
    one.add({ kind: "on", at: "" });
    expect([isOn(state, one), isOn(state, two)]).toEqual([true, false]);
  });
});

test("the report counts a section once, and as used only when it was shown", () => {
  const entries: Entry[] = [
    block("m1", ["a", "b"]),
    block("m2", ["b"]),
    block("m3", ["b", "c"], { characters: 50 }),
    { kind: "used", at: "", ids: ["a", "z"] },
  ];
  expect(injectionsOf("s", entries).map(({ sections }) => sections.map(({ id }) => id))).toEqual([["a", "b"], ["c"]]);
  expect(usefulness([entries, []])).toEqual({ sessions: 1, injections: 2, characters: 150, sections: 3, used: 1 });
});
