import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { holdAlone } from "../engine/alone.ts";
import { GestaltError } from "../errors.ts";
import { startBackground } from "./background.ts";
import { whoServes } from "./client.ts";
import { openClock } from "./clock.ts";
import { type Ask, converse, type Host } from "./conversation.ts";
import { type Engines, openEngines } from "./engines.ts";
import { isPrivate, type Meeting } from "./place.ts";
import type { At, FromServer, Identity, ServiceStatus } from "./protocol.ts";
import { openQueue } from "./queue.ts";
import { verbs } from "./verbs.ts";
import { within } from "./within.ts";

export type ServeOptions = {
  readonly meeting: Meeting;
  readonly me: Identity;
  /** Notes that are looked after before anybody asks. */
  readonly first?: At | undefined;
  /** Seconds without a question before the model is dropped; half as many more end the process. 0: never. */
  readonly idle: number;
  /** Share of the time that embedding may take, in (0, 1]. */
  readonly duty: number;
};

/** "heavy": a fresh process should take over. */
export type Ending = "elsewhere" | "heavy" | "ended";

/** Questions that may wait; the next one is told that we are busy. */
const longestQueue = 64;
/**
 * Bytes in memory above which the process gives its place to a fresh one; seconds before it does, since what so many notes need is in
 * memory again at once.
 */
const heaviest = { bytes: 600e6, after: 600 };
/** Milliseconds between looks at the clock and the memory. */
const interval = 250;
/** Milliseconds after a question in which nothing else is done: the next one often follows soon. */
const respite = 1_000;
/** Milliseconds to wait for another that is about to leave, and for the last answers. */
const patience = 5_000;

/**
 * Serves all agents, hooks and command lines of a user until nobody has wanted anything for a while, a newer program asks
 * for the place, or the process is told to end. "elsewhere" at once when another process serves already.
 *
 * @throws GestaltError "io" when there is no folder for this user alone
 */
export async function serve({ meeting, me, first, idle, duty }: ServeOptions): Promise<Ending> {
  if (!isPrivate(meeting))
    throw new GestaltError("io", `${meeting.folder} is not this user's alone`, "remove it, then: gestalt serve");
  const lock = await elected(meeting, me);
  if (lock === undefined) return "elsewhere";
  const engines = openEngines();
  const hall = openHall(engines, me, duty);
  const stop = (): void => hall.end("ended");
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  const timer = setInterval(() => {
    const { seconds, unasked, busy } = hall.quiet();
    if (busy) return;
    // For those who ask: where nobody does it ends by itself, and a fresh one would only begin to wait anew.
    if (process.uptime() > heaviest.after && unasked < heaviest.after && staysHeavy()) hall.end("heavy");
    if (idle > 0 && seconds > idle && engines.models.loaded()) void engines.models.drop();
    if (idle > 0 && seconds > idle * 1.5) hall.end("ended");
  }, interval);
  try {
    await listen(hall.server, meeting);
    if (first !== undefined) hall.attach(first);
    return await hall.over;
  } finally {
    clearInterval(timer);
    for (const signal of signals) process.off(signal, stop);
    if (process.platform !== "win32") rmSync(meeting.socket, { force: true });
    await hall.close();
    await engines.close();
    lock.release();
  }
}

/** Throws garbage away when there is too much in memory, and tells whether there still is. */
function staysHeavy(): boolean {
  if (process.memoryUsage.rss() > heaviest.bytes) Bun.gc(true);
  return process.memoryUsage.rss() > heaviest.bytes;
}

type Hall = {
  readonly server: Server;
  /** Resolves when it is time to leave. */
  readonly over: Promise<"heavy" | "ended">;
  end(how: "heavy" | "ended"): void;
  /** Looks after these notes, as if a client had asked for it. */
  attach(at: At): void;
  /** Seconds for which nobody has wanted anything, and for which nobody has asked. */
  quiet(): { readonly seconds: number; readonly unasked: number; readonly busy: boolean };
  /** Gives the answers that are due, and sends everybody away: who is to come again, without a word. */
  close(): Promise<void>;
};

/** All conversations, the one queue that they share, and what is done when it is empty. `end` comes before `close`. */
function openHall(engines: Engines, me: Identity, duty: number): Hall {
  const queue = openQueue(longestQueue);
  const sockets = new Set<Socket>();
  const over = Promise.withResolvers<"heavy" | "ended">();
  const clock = openClock();
  let answered = 0;
  let ending: "heavy" | "ended" | undefined;
  const end = (how: "heavy" | "ended"): void => {
    ending ??= how;
    over.resolve(how);
  };
  const isFree = (starved: boolean) => queue.size() === 0 && (starved || clock.unasked() > respite);
  const background = startBackground(engines, { isFree, duty, onWork: clock.want });
  const status = (): ServiceStatus => ({
    pid: process.pid,
    version: me.version,
    uptime: Math.round(performance.now()),
    bytes: process.memoryUsage.rss(),
    model: engines.models.loaded(),
    clients: sockets.size,
    waiting: queue.size(),
    answered,
    embedded: background.embedded(),
    vaults: [...new Set(engines.all().flatMap(({ at }) => at.place.vaults.map(({ root }) => root)))],
  });
  const host: Host = {
    me,
    status,
    isEnding: () => ending !== undefined,
    end: () => end("ended"),
    enqueue(verb, at, given, { isWanted, reply }) {
      if (verb === "attach") clock.want();
      else clock.ask();
      return queue.add(async () => {
        await reply(async () => await verbs[verb](await engines.open(at), given));
        answered++;
        clock.want();
        // Once this question has left the line.
        if (verb === "attach") setTimeout(background.wake, 10);
      }, isWanted);
    },
  };
  const server = receiving(sockets, host);
  return {
    server,
    over: over.promise,
    end,
    attach: (at) => void host.enqueue("attach", at, [], nobody),
    quiet: () => ({ seconds: clock.unwanted() / 1000, unasked: clock.unasked() / 1000, busy: queue.size() > 0 }),
    async close() {
      server.close();
      background.end();
      await within(queue.empty(), patience);
      const word = ending === "ended" ? `${JSON.stringify({ bye: true } satisfies FromServer)}\n` : "";
      for (const socket of sockets) socket.end(word, () => socket.destroy());
    },
  };
}

/** Who asks when nobody does: the answer is for the process itself. */
const nobody: Ask = {
  isWanted: () => true,
  async reply(answer) {
    await answer();
  },
};

/** Has a conversation with everybody who comes. */
const receiving = (sockets: Set<Socket>, host: Host): Server =>
  createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, host);
  });

/** The lock of the one that serves. Waits a while for one that is about to leave; undefined when one stays. */
async function elected(meeting: Meeting, me: Identity): Promise<{ release(): void } | undefined> {
  const deadline = performance.now() + patience;
  for (;;) {
    const lock = holdAlone(meeting.lock);
    if (lock !== undefined) return lock;
    if ((await whoServes(meeting, me)) !== "absent" || performance.now() > deadline) return undefined;
    await Bun.sleep(50);
  }
}

function listen(server: Server, { socket }: Meeting): Promise<void> {
  // What a killed process left: we hold the lock, so nobody listens there.
  if (process.platform !== "win32") rmSync(socket, { force: true });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => {
      if (process.platform !== "win32") chmodSync(socket, 0o600);
      resolve();
    });
  });
}
