import type { Socket } from "node:net";
import { GestaltError, messageOf } from "../errors.ts";
import {
  type At,
  type FromClient,
  type FromServer,
  type Identity,
  isNewer,
  isSame,
  lines,
  type Verb,
} from "./protocol.ts";
import { verbs } from "./verbs.ts";

/** What a conversation needs of the process that leads it. */
export type Host = {
  readonly me: Identity;
  isEnding(): boolean;
  /** A newer program wants the place, or somebody says that it is time. */
  end(): void;
  status(): unknown;
  /** Puts a question in line; false when too many wait. */
  enqueue(verb: Verb, at: At, given: readonly unknown[], ask: Ask): boolean;
};

/** How a question in line is answered, and whether its asker is still there. */
export type Ask = {
  readonly isWanted: () => boolean;
  readonly reply: (answer: () => Promise<unknown>) => Promise<void>;
};

type Question = Extract<FromClient, { readonly at: At }>;
type Order = Exclude<FromClient, Question | { readonly hello: Identity }>;

/** Leads the conversation with one client. What is not spoken in our words ends it. */
export function converse(socket: Socket, host: Host): void {
  let met = false;
  const say = (message: FromServer): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
  };
  const greet = (theirs: Identity): void => {
    met = isSame(theirs, host.me) && !host.isEnding();
    const ending = host.isEnding() || (!met && isNewer(theirs, host.me));
    say({ hello: host.me, welcome: met, ending });
    if (ending) host.end();
  };
  const onLine = (message: object): void => {
    if (!met && "hello" in message && isIdentity(message.hello)) greet(message.hello);
    else if (met && isOrder(message)) {
      say({ id: message.id, answer: host.status() });
      if (message.verb === "stop") host.end();
    } else if (met && isQuestion(message)) {
      const { id, verb, at, given, deadline } = message;
      const late = performance.now() + deadline;
      const isWanted = () => !socket.destroyed && performance.now() < late;
      const reply = async (answer: () => Promise<unknown>) => say(await answerTo(id, answer));
      if (!host.enqueue(verb, at, given, { isWanted, reply })) say({ id, busy: true });
    } else socket.destroy();
  };
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on(
    "data",
    lines(onLine, () => socket.destroy()),
  );
}

async function answerTo(id: number, answer: () => Promise<unknown>): Promise<FromServer> {
  try {
    return { id, answer: (await answer()) ?? null };
  } catch (error) {
    const { code, message, hint } =
      error instanceof GestaltError ? error : { code: "bug", message: messageOf(error), hint: "gestalt serve --stop" };
    return { id, fault: { code, message, hint } };
  }
}

const isIdentity = (value: unknown): value is Identity =>
  typeof value === "object" &&
  value !== null &&
  "protocol" in value &&
  "version" in value &&
  "schema" in value &&
  "build" in value &&
  typeof value.build === "number";

const isOrder = (message: object): message is Order =>
  "id" in message &&
  typeof message.id === "number" &&
  "verb" in message &&
  (message.verb === "status" || message.verb === "stop");

/** The same build wrote the line, so what is inside `at` and `given` needs no second look. */
const isQuestion = (message: object): message is Question =>
  "id" in message &&
  typeof message.id === "number" &&
  "verb" in message &&
  typeof message.verb === "string" &&
  Object.hasOwn(verbs, message.verb) &&
  "at" in message &&
  isAt(message.at) &&
  "given" in message &&
  Array.isArray(message.given) &&
  "deadline" in message &&
  typeof message.deadline === "number";

const isAt = (at: unknown): at is At =>
  typeof at === "object" && at !== null && "place" in at && "settings" in at && typeof at.place === "object";
