import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { connectService, type ServiceClient } from "../../src/service/client.ts";
import { type Meeting, meetingAt } from "../../src/service/place.ts";
import type { At, Identity } from "../../src/service/protocol.ts";
import { served } from "../../src/service/served.ts";
import { type Ending, serve } from "../../src/service/server.ts";
import { temporaryFolder } from "../door.ts";
import { defaults, openVault, type Vault } from "../engine/vault.ts";

// Far above what it takes, for machines that have much else to do.
setDefaultTimeout(120_000);

const me: Identity = { protocol: 1, version: "0.1.0", schema: 1, build: 5 };
const ample = 60_000;
const lexically = { limit: 3, mode: "lexical" } as const;
const atOf = (vault: Vault): At => ({ place: vault.place, settings: defaults });

const clients: ServiceClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function client(meeting: Meeting, who = me, start: () => void = () => {}): ServiceClient {
  const made = connectService(meeting, who, start);
  clients.push(made);
  return made;
}

/** A process's worth of serving, in this one. */
async function serving(use: (meeting: Meeting, ended: Promise<Ending>) => Promise<void>, idle = 600): Promise<void> {
  const meeting = meetingAt(join(temporaryFolder(), "serve"));
  const ended = serve({ meeting, me, idle, duty: 1 });
  const first = client(meeting);
  while ((await first.status()) === undefined) await Bun.sleep(5);
  try {
    await use(meeting, ended);
  } finally {
    await client(meeting).stop();
    await ended;
  }
}

describe("the warm process", () => {
  test("32 clients at once: every answer belongs to its question", async () => {
    const words = Array.from(
      { length: 32 },
      (_, i) => `zz${String.fromCharCode(97 + (i % 26))}${"q".repeat(1 + Math.floor(i / 26))}zz`,
    );
    const vault = openVault(Object.fromEntries(words.map((word, i) => [`note${i}.md`, `# N${i}\n\n${word}\n`])));
    await serving(async (meeting) => {
      await client(meeting).ask("search", atOf(vault), ["first", lexically], ample);
      const asking = async (who: number): Promise<void> => {
        const own = client(meeting);
        const rounds = Array.from({ length: 8 }, (_, round) => (who + 5 * round) % words.length);
        const answers = await Promise.all(
          rounds.map((n) => own.ask("search", atOf(vault), [words[n]!, lexically], ample)),
        );
        for (const [round, answer] of answers.entries()) {
          // More than may wait at once: some are told to come again, none gets another's answer.
          if (answer === "later") continue;
          const n = rounds[round]!;
          expect(answer).toMatchObject({ answer: { query: words[n], hits: [{ path: `note${n}.md` }] } });
        }
        const again = await own.ask("search", atOf(vault), [words[who]!, lexically], ample);
        if (typeof again === "object") expect(again.answer.hits[0]?.path).toBe(`note${who}.md`);
      };
      await Promise.all(words.map((_, who) => asking(who)));
      expect((await client(meeting).status())?.answered).toBeGreaterThan(64);
    });
  });

  test("answers as the engine would, its faults included", async () => {
    const vault = openVault({ "a.md": "# Queue\n\nretry with backoff\n" });
    await serving(async (meeting) => {
      const asked = await client(meeting).ask("search", atOf(vault), ["queue", lexically], ample);
      const own = await vault.ask("queue");
      expect(asked).toEqual({ answer: JSON.parse(JSON.stringify(own)) });
      const nowhere = {
        ...atOf(vault),
        place: { ...vault.place, db: "/proc/none/x.db", vaults: [{ name: "x", root: "/nowhere" }] },
      };
      expect(client(meeting).ask("search", nowhere, ["queue", lexically], ample)).rejects.toMatchObject({
        code: "no-vault",
      });
    });
  });

  test("tells how near texts are, as the engine would; without an index, and where it cannot be asked, nobody does", async () => {
    const vault = openVault({ "a.md": "# Queue\n\nretry with backoff\n" });
    const given = ["walruses on the ice", ["an animal with tusks", "the rent is due"]] as const;
    await serving(async (meeting) => {
      expect(await client(meeting).ask("likeness", atOf(vault), given, ample)).toEqual({ answer: null });
      await vault.index();
      const own = await vault.open((engine) => engine.likeness(...given));
      expect(own?.[0]).toBeGreaterThan(own?.[1] ?? 1);
      expect(await client(meeting).ask("likeness", atOf(vault), given, ample)).toEqual({ answer: own ?? [] });
    });
    await vault.open(async (engine) => {
      const nobody = client(meetingAt(join(temporaryFolder(), "serve")));
      expect(await served(engine, atOf(vault), nobody).likeness(...given)).toBeUndefined();
    });
  });

  test("what is not spoken in our words is cut off, and harms nobody else", async () => {
    const vault = openVault({ "a.md": "# Queue\n\nretry\n" });
    await serving(async (meeting) => {
      for (const junk of [
        "GET / HTTP/1.1\r\n\r\n",
        "{}\n",
        '{"id":1,"verb":"stop"}\n',
        '{"hello":5}\n',
        "\u0000\n",
        `${"x".repeat(100_000)}\n`,
      ]) {
        const closed = Promise.withResolvers<void>();
        const socket = createConnection(meeting.socket, () => socket.write(junk));
        socket.on("close", () => closed.resolve());
        socket.on("error", () => {});
        socket.resume();
        await closed.promise;
      }
      const asked = await client(meeting).ask("search", atOf(vault), ["queue", lexically], ample);
      expect(asked).toMatchObject({ answer: { hits: [{ path: "a.md" }] } });
    });
  });

  test.skipIf(process.platform === "win32")(
    "its folder and socket are the user's alone, and the socket goes with it",
    async () => {
      let socket = "";
      await serving(async (meeting) => {
        socket = meeting.socket;
        expect(statSync(meeting.folder).mode & 0o777).toBe(0o700);
        expect(statSync(socket).mode & 0o777).toBe(0o600);
      });
      expect(existsSync(socket)).toBe(false);
    },
  );

  test("there is one: a second one leaves at once, and takes over when the first has gone", async () => {
    await serving(async (meeting, ended) => {
      expect(await serve({ meeting, me, idle: 600, duty: 1 })).toBe("elsewhere");
      await client(meeting).stop();
      expect(await ended).toBe("ended");
      const next = serve({ meeting, me, idle: 600, duty: 1 });
      const asking = client(meeting);
      while ((await asking.status()) === undefined) await Bun.sleep(5);
      await asking.stop();
      expect(await next).toBe("ended");
    });
  });

  test("a newer program's client ends it and starts its own; an older one's works alone", async () => {
    const vault = openVault({ "a.md": "# Queue\n" });
    await serving(async (meeting, ended) => {
      let started = 0;
      const start = () => {
        started++;
      };
      const older = client(meeting, { ...me, build: 4 }, start);
      expect(await older.ask("search", atOf(vault), ["queue", lexically], ample)).toBe("never");
      const other = client(meeting, { ...me, version: "0.0.9", build: 5 }, start);
      expect(await other.ask("search", atOf(vault), ["queue", lexically], ample)).toBe("never");
      expect(started).toBe(0);
      const newer = client(meeting, { ...me, build: 6 }, start);
      expect(await newer.ask("search", atOf(vault), ["queue", lexically], ample)).toBe("later");
      expect(started).toBe(1);
      expect(await ended).toBe("ended");
    });
  });

  test("ends by itself when nobody has wanted anything for a while", async () => {
    const meeting = meetingAt(join(temporaryFolder(), "serve"));
    expect(await serve({ meeting, me, idle: 0.2, duty: 1 })).toBe("ended");
    expect(existsSync(meeting.socket)).toBe(false);
  });

  test("embeds what is new while nobody asks, so that it is found by meaning", async () => {
    const vault = openVault({ "a.md": "# Felines\n\nThe cat sleeps on the sofa.\n" });
    await serving(async (meeting) => {
      const asking = client(meeting);
      await asking.ask("attach", atOf(vault), [], ample);
      vault.write("b.md", "# Vehicles\n\nAn automobile was parked in the garage.\n");
      const dense = { limit: 1, mode: "dense" } as const;
      let found: unknown;
      for (let i = 0; i < 200 && found !== "b.md"; i++) {
        await Bun.sleep(100);
        const asked = await asking.ask("search", atOf(vault), ["where is the car", dense], ample);
        found = typeof asked === "object" && asked.answer.mode === "dense" ? asked.answer.hits[0]?.path : asked;
      }
      expect(found).toBe("b.md");
      // It is found once its vector is stored; the count follows.
      let embedded: number | undefined;
      for (let i = 0; i < 100 && (embedded ?? 0) < 2; i++) {
        await Bun.sleep(50);
        embedded = (await asking.status())?.embedded;
      }
      expect(embedded).toBeGreaterThan(1);
    });
  });
});

describe("a client", () => {
  test("waits for nothing when there is none: it has one started, once, and words answer meanwhile", async () => {
    const vault = openVault({ "a.md": "# Queue\n\nretry\n" });
    const meeting = meetingAt(join(temporaryFolder(), "serve"));
    let started = 0;
    const crowd = Array.from({ length: 20 }, () => client(meeting, me, () => void started++));
    for (const one of crowd) expect(await one.ask("search", atOf(vault), ["queue", lexically], ample)).toBe("later");
    expect(started).toBe(1);
    await vault.open(async (engine) => {
      const answer = await served(engine, atOf(vault), crowd[0]!).search("queue", { limit: 1, mode: "auto" });
      expect(answer.hits[0]?.path).toBe("a.md");
      expect(answer.remarks.join()).toContain("without the question's meaning");
    });
  });

  test("whose process dies in mid-answer hears at once that there is none", async () => {
    const meeting = meetingAt(join(temporaryFolder(), "serve"));
    const vault = openVault({ "a.md": "# Queue\n" });
    const dying = Bun.spawn(
      [
        process.execPath,
        "-e",
        `require("node:fs").mkdirSync(${JSON.stringify(meeting.folder)}, { recursive: true });
         require("node:net").createServer((socket) => {
           socket.write(JSON.stringify({ hello: ${JSON.stringify(me)}, welcome: true, ending: false }) + "\\n");
           socket.on("data", (text) => String(text).includes('"verb"') && process.kill(process.pid, "SIGKILL"));
         }).listen(${JSON.stringify(meeting.socket)}, () => console.log("ready"));`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    for await (const _ of dying.stdout) break;
    const asking = client(meeting);
    // Had it waited for the deadline, the test's own time would be over.
    expect(await asking.ask("search", atOf(vault), ["queue", lexically], 600_000)).toBe("later");
    expect(await dying.exited).not.toBe(0);
    expect(await asking.ask("search", atOf(vault), ["queue", lexically], 600_000)).toBe("later");
  });

  test("that is closed keeps nothing open", async () => {
    const meeting = meetingAt(join(temporaryFolder(), "serve"));
    const one = client(meeting);
    one.close();
    const vault = openVault();
    expect(await one.ask("search", atOf(vault), ["queue", lexically], ample)).toBe("never");
  });
});
