import { statSync, writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { type ErrorCode, GestaltError } from "../errors.ts";
import { isPrivate, type Meeting } from "./place.ts";
import {
  type At,
  type FromClient,
  type FromServer,
  type Identity,
  lines,
  type ServiceStatus,
  type Verb,
  type Verbs,
} from "./protocol.ts";
import { within } from "./within.ts";

/**
 * Why there is no answer. `later`: it is starting, busy or slow, and may answer the next time. `never`: there is none for
 * this program, now or later.
 */
export type Unanswered = "later" | "never";

export type ServiceClient = {
  /**
   * Asks the warm process. Never waits for it to start: when it is not there, it may be started for the next time.
   *
   * @param deadline milliseconds to wait for the answer
   * @throws GestaltError the engine's own, as it would be thrown here
   */
  ask<V extends Verb>(
    verb: V,
    at: At,
    given: Verbs[V]["given"],
    deadline: number,
  ): Promise<{ readonly answer: Verbs[V]["answer"] } | Unanswered>;
  /** Undefined when none is running. */
  status(): Promise<ServiceStatus | undefined>;
  /** Resolves when the connection is gone that is open now or is opened next: whether the process said that it ends. */
  lost(): Promise<"ended" | "killed">;
  /** Asks it to end, and says what it was; undefined when none is running. */
  stop(): Promise<ServiceStatus | undefined>;
  close(): void;
};

type Connection = { readonly socket: Socket; readonly waiting: Map<number, (message: FromServer | undefined) => void> };
type Met = Connection | "absent" | "ending" | "stranger";

/** Milliseconds to wait for a first word: whoever listens says it at once. */
const handshake = 1_000;
/** Milliseconds after a start in which nobody starts another. */
const startup = 2_000;

/** @param start starts the warm process on its own; it may find that there is one already. Without it none is started. */
export function connectService(meeting: Meeting, me: Identity, start?: () => void): ServiceClient {
  let meetingNow: Promise<Met> | undefined;
  let loss = Promise.withResolvers<"ended" | "killed">();
  let count = 0;
  const closing = new AbortController();

  /** The open connection, or a new one. */
  async function met(): Promise<Met> {
    meetingNow ??= meet(meeting, me, closing.signal, (how) => {
      meetingNow = undefined;
      if (how === undefined) return;
      loss.resolve(how);
      loss = Promise.withResolvers();
    });
    const found = await meetingNow;
    if (typeof found === "string") meetingNow = undefined;
    return found;
  }

  async function send(request: (id: number) => FromClient, deadline: number): Promise<FromServer | Unanswered> {
    if (closing.signal.aborted) return "never";
    const began = performance.now();
    const found = await within(met(), deadline);
    if (found === undefined) return "later";
    if (found === "stranger") return "never";
    if (found === "absent" || found === "ending") {
      if (!isPrivate(meeting)) return "never";
      if (start !== undefined && isTimeToStart(meeting)) start();
      return "later";
    }
    const id = ++count;
    const reply = new Promise<FromServer | undefined>((resolve) => found.waiting.set(id, resolve));
    found.socket.write(`${JSON.stringify(request(id))}\n`);
    const message = await within(reply, deadline - (performance.now() - began));
    found.waiting.delete(id);
    return message ?? "later";
  }

  async function control(verb: "status" | "stop"): Promise<ServiceStatus | undefined> {
    const found = await met();
    if (typeof found === "string") return undefined;
    const message = await send((id) => ({ id, verb }), handshake);
    return typeof message === "object" && "answer" in message ? (message.answer as ServiceStatus) : undefined;
  }

  return {
    ask: async (verb, at, given, deadline) =>
      outcome(await send((id) => ({ id, verb, at, given, deadline }), deadline)),
    status: () => control("status"),
    lost: () => loss.promise,
    stop: () => control("stop"),
    close: () => closing.abort(),
  };
}

/** What came of a question. @throws GestaltError the engine's own */
function outcome<T>(message: FromServer | Unanswered): { readonly answer: T } | Unanswered {
  if (typeof message === "string") return message;
  // A bug over there is no reason to have no answer here.
  if ("fault" in message && message.fault.code === "bug") return "later";
  // A code that this build does not know cannot come: builds that differ do not speak.
  if ("fault" in message)
    throw new GestaltError(message.fault.code as ErrorCode, message.fault.message, message.fault.hint);
  return "answer" in message ? { answer: message.answer as T } : "later";
}

/** Who listens there, for one that would serve itself. */
export async function whoServes(meeting: Meeting, me: Identity): Promise<"welcome" | "stranger" | "absent"> {
  const found = await meet(meeting, me);
  if (typeof found === "string") return found === "stranger" ? "stranger" : "absent";
  found.socket.destroy();
  return "welcome";
}

/** Connects and exchanges names. All that waits is told when the connection is lost; `onLost` how, if we were welcome. */
function meet(
  { socket: path }: Meeting,
  me: Identity,
  closing?: AbortSignal,
  onLost: (how: "ended" | "killed" | undefined) => void = () => {},
): Promise<Met> {
  return new Promise((resolve) => {
    const waiting: Connection["waiting"] = new Map();
    let how: "ended" | "killed" | undefined;
    const socket = createConnection(path);
    const destroy = (): unknown => socket.destroy();
    const timer = setTimeout(destroy, handshake);
    closing?.addEventListener("abort", destroy);
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify({ hello: me } satisfies FromClient)}\n`));
    socket.on("error", destroy);
    socket.on("close", () => {
      clearTimeout(timer);
      closing?.removeEventListener("abort", destroy);
      for (const tell of waiting.values()) tell(undefined);
      waiting.clear();
      onLost(how);
      resolve("absent");
    });
    socket.on(
      "data",
      lines(
        (line) => {
          const message = line as FromServer;
          if ("bye" in message) {
            how &&= "ended";
            return;
          }
          if (!("hello" in message)) {
            waiting.get(message.id)?.(message);
            return;
          }
          clearTimeout(timer);
          if (message.welcome) {
            how = "killed";
            // The connection alone keeps no process alive.
            socket.unref();
            resolve({ socket, waiting });
          } else {
            resolve(message.ending ? "ending" : "stranger");
            socket.destroy();
          }
        },
        () => socket.destroy(),
      ),
    );
  });
}

/** Whether nobody has started one in the last moments; whoever asks and is told so is the one. */
function isTimeToStart({ started }: Meeting): boolean {
  try {
    const last = statSync(started, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Math.abs(Date.now() - last) < startup) return false;
    writeFileSync(started, String(process.pid), { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
