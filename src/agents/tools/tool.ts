import type { Engine } from "../../engine/open.ts";
import type { Rule, Value, ValueOf } from "../../kinds.ts";

/** What a tool takes: a rule, what it is for, and what holds when it is not given. */
export type Argument = Rule & {
  readonly description: string;
  readonly required?: true;
  readonly fallback?: Value;
  /** Taken, and left out of what is listed: an argument of the reference that has a better form here. */
  readonly unlisted?: true;
};
export type Arguments = Readonly<Record<string, Argument>>;

/** The values a tool's `run` gets. */
export type Given<A extends Arguments> = {
  readonly [Name in keyof A]:
    | ValueOf<A[Name]>
    | (A[Name] extends { readonly required: true } | { readonly fallback: Value } ? never : undefined);
};

/** The verbs that tools call. */
export type Notes = Pick<Engine, "place" | "search" | "read" | "brief" | "manifest" | "graph" | "likeness">;

/** What tools work with. */
export type Surface = {
  readonly engine: Notes;
  /** Where the project lies: skills are looked for from here. */
  readonly cwd: string;
  /** Told which lines of which note an answer shows word for word. */
  readonly onRead?: ((lines: ReadLines) => void) | undefined;
  /** Told how far a long call is. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Lines of a note, the first and the last included. */
export type ReadLines = { readonly vault: string; readonly path: string; readonly start: number; readonly end: number };

export type Json = { readonly [key: string]: unknown };

type Definition<A extends Arguments> = {
  readonly name: string;
  readonly title: string;
  /** The words an agent reads before it decides to call: what, when, when not, limits. Below 2 kB. */
  readonly description: string;
  readonly args: A;
  /** Other names under which an argument is taken: those of the reference. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** It changes something of the user's: clients ask before they call it. */
  readonly writes?: true;
  /** May be called and is not listed: an older name, which would cost every session its characters. */
  readonly unlisted?: true;
  /** JSON Schema of the answer. */
  readonly output: Json;
  /** May throw GestaltError. The answer is a JSON object that `output` describes. */
  run(given: Given<A>, surface: Surface): Promise<Json>;
};

export type Tool = Omit<Definition<Arguments>, "run"> & {
  /** @param given values that the tool's rules allow */
  run(given: Readonly<Record<string, Value | undefined>>, surface: Surface): Promise<Json>;
};

/** A tool whose `run` knows the types of its arguments. */
export function tool<const A extends Arguments>(definition: Definition<A>): Tool {
  // The rules type each value; a record read from JSON has lost the tie between a name and its value's type.
  return { ...definition, run: (given, surface) => definition.run(given as Given<A>, surface) };
}
