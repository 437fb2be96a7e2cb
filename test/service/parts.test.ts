import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openEngines } from "../../src/service/engines.ts";
import { isPrivate, meetingAt } from "../../src/service/place.ts";
import { isNewer, isSame, lines } from "../../src/service/protocol.ts";
import { openQueue } from "../../src/service/queue.ts";
import { temporaryFolder } from "../door.ts";
import { defaults, openVault } from "../engine/vault.ts";

describe("lines", () => {
  test("give the same messages however the text is cut", () => {
    const message = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.nat(200)), (messages, cuts) => {
        const text = messages.map((one) => `${JSON.stringify(one)}\n`).join("");
        const heard: object[] = [];
        const take = lines(
          (one) => heard.push(one),
          () => heard.push({ broken: true }),
        );
        let at = 0;
        for (const cut of cuts) {
          take(text.slice(at, at + cut));
          at += cut;
        }
        take(text.slice(at));
        expect(JSON.stringify(heard)).toBe(JSON.stringify(messages));
      }),
    );
  });

  test.each([
    ["no JSON", "no json\n"],
    ["a number", "5\n"],
    ["null", "null\n"],
    ["a line without end", "x".repeat(9_000_000)],
  ])("%s is told of once, and nothing after it is heard", (text) => {
    const heard: unknown[] = [];
    const take = lines(
      (one) => heard.push(one),
      () => heard.push("broken"),
    );
    take('{"a":1}\n');
    take(text);
    take('{"b":2}\n');
    expect(heard).toEqual([{ a: 1 }, "broken"]);
  });
});

describe("engines", () => {
  test("are one for the same notes, in whatever order a client names them and however it found them", async () => {
    const { place } = openVault({ "a.md": "# A\n" });
    const engines = openEngines();
    try {
      const first = await engines.open({ place, settings: defaults });
      const reversed = <T extends object>(of: T): T => Object.fromEntries(Object.entries(of).toReversed()) as T;
      const second = { settings: reversed(defaults), place: reversed({ ...place, why: "named" }) };
      expect(await engines.open(second)).toBe(first);
      // What is not set is not there any more when it has come over the wire.
      const unset = { place, settings: { ...defaults, "embed-profile": undefined } };
      expect(await engines.open(unset)).toBe(await engines.open(JSON.parse(JSON.stringify(unset))));
      expect(await engines.open({ place, settings: { ...defaults, overlap: defaults.overlap + 1 } })).not.toBe(first);
    } finally {
      await engines.close();
    }
  });
});

describe("the queue", () => {
  test("does one thing at a time, in order, whatever becomes of each", async () => {
    const queue = openQueue(100);
    const done: number[] = [];
    let running = 0;
    for (let i = 0; i < 20; i++)
      queue.add(
        async () => {
          expect(++running).toBe(1);
          await Bun.sleep(i % 3);
          running--;
          done.push(i);
          if (i % 4 === 0) throw new Error("one of many");
        },
        () => true,
      );
    await queue.empty();
    expect(done).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(queue.size()).toBe(0);
  });

  test("says no to one too many, and yes again when there is room", async () => {
    const queue = openQueue(3);
    const open = Promise.withResolvers<void>();
    // The first is at once being done; three more may wait.
    const added = Array.from({ length: 6 }, () =>
      queue.add(
        () => open.promise,
        () => true,
      ),
    );
    expect(added).toEqual([true, true, true, true, false, false]);
    open.resolve();
    await queue.empty();
    expect(
      queue.add(
        async () => {},
        () => true,
      ),
    ).toBe(true);
  });

  test("passes over what nobody wants any more", async () => {
    const queue = openQueue(10);
    const done: string[] = [];
    queue.add(
      async () => {
        await Bun.sleep(5);
        done.push("first");
      },
      () => true,
    );
    queue.add(
      async () => {
        done.push("left");
      },
      () => false,
    );
    await queue.empty();
    expect(done).toEqual(["first"]);
  });
});

test("of two builds the later is the newer, and only the very same is the same", () => {
  const old = { protocol: 1, version: "0.1.0", schema: 2, build: 5 };
  expect(isNewer({ ...old, build: 6 }, old)).toBe(true);
  expect(isNewer(old, { ...old, build: 6 })).toBe(false);
  expect(isSame(old, { ...old })).toBe(true);
  for (const other of [{ protocol: 2 }, { version: "0.2.0" }, { schema: 3 }, { build: 6 }])
    expect(isSame(old, { ...old, ...other })).toBe(false);
});

test("a path that is too long for a socket leads to a short one, the same for all", () => {
  const long = join("/tmp", "x".repeat(150));
  expect(meetingAt(long).socket).toBe(meetingAt(long).socket);
  expect(Buffer.byteLength(meetingAt(long).socket)).toBeLessThanOrEqual(100);
  expect(meetingAt("/tmp/a").socket).toBe("/tmp/a/socket");
});

test.skipIf(process.platform === "win32")("a folder that is a link to another is not the user's alone", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "serve"));
  expect(isPrivate(meetingAt(join(folder, "serve")))).toBe(false);
  expect(isPrivate(meetingAt(join(folder, "own")))).toBe(true);
});
