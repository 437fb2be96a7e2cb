import type { EngineSettings } from "../engine/knobs.ts";
import type { Place } from "../engine/place.ts";
import type { Recalled, RecallOptions } from "../engine/recall.ts";
import type { Answer, SearchOptions } from "../engine/search.ts";

/** Who speaks. Two that differ in any part never answer for each other. */
export type Identity = {
  readonly protocol: number;
  readonly version: string;
  readonly schema: number;
  readonly build: number;
};

/** Whose notes, and how they are searched: all that an engine is opened with. */
export type At = { readonly place: Place; readonly settings: EngineSettings };

/** What can be asked: what is given, and what comes back. */
export type Verbs = {
  search: { readonly given: readonly [string, SearchOptions]; readonly answer: Answer };
  recall: { readonly given: readonly [string, RecallOptions]; readonly answer: Recalled | null };
  likeness: { readonly given: readonly [string, readonly string[]]; readonly answer: readonly number[] | null };
  /** Watches these notes from here on, loads the model, and embeds what has no vector. */
  attach: { readonly given: readonly []; readonly answer: true };
};
export type Verb = keyof Verbs;

export type ServiceStatus = {
  readonly pid: number;
  readonly version: string;
  /** Milliseconds since it began. */
  readonly uptime: number;
  readonly bytes: number;
  readonly model: boolean;
  readonly clients: number;
  readonly waiting: number;
  readonly answered: number;
  readonly embedded: number;
  readonly vaults: readonly string[];
};

/** One line each way is one of these. The first of a connection is `hello`. */
export type FromClient =
  | { readonly hello: Identity }
  | {
      readonly id: number;
      readonly verb: Verb;
      readonly at: At;
      readonly given: readonly unknown[];
      /** Milliseconds after which nobody waits for the answer. */
      readonly deadline: number;
    }
  | { readonly id: number; readonly verb: "status" | "stop" };
export type FromServer =
  /** `ending`: this one goes, and a newer may be started. */
  | { readonly hello: Identity; readonly welcome: boolean; readonly ending: boolean }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: { readonly code: string; readonly message: string; readonly hint: string } }
  | { readonly id: number; readonly busy: true }
  /** It ends, and not by accident: nobody needs it any more, or it was told to. */
  | { readonly bye: true };

/** Characters of the longest line: an answer with whole passages is a tenth of it. */
const longest = 8 * 1024 * 1024;

/**
 * Takes text as it comes and gives each whole line, read as JSON.
 *
 * @param onBroken called once, when a line is no JSON object or too long; nothing is given after it
 */
export function lines(onLine: (message: object) => void, onBroken: () => void): (text: string) => void {
  let rest = "";
  let broken = false;
  const fail = (): void => {
    broken = true;
    rest = "";
    onBroken();
  };
  return (text) => {
    if (broken) return;
    rest += text;
    for (let end = rest.indexOf("\n"); end >= 0 && !broken; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      const message = parsed(line);
      if (message === undefined) fail();
      else onLine(message);
    }
    if (!broken && rest.length > longest) fail();
  };
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isSame = (a: Identity, b: Identity): boolean =>
  a.protocol === b.protocol && a.version === b.version && a.schema === b.schema && a.build === b.build;

/** Whether `a` should take the place of `b`. */
export const isNewer = (a: Identity, b: Identity): boolean => a.build > b.build;
