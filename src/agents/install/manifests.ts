import claude from "../../../hooks/claude.json" with { type: "json" };
import codex from "../../../hooks/codex.json" with { type: "json" };
import cursor from "../../../hooks/cursor.json" with { type: "json" };
import gemini from "../../../hooks/gemini.json" with { type: "json" };
import { shellLine } from "./command.ts";
import type { Entry } from "./json-editor.ts";

/** An agent's hooks as data: by event, what stands in its settings, with the program called `gestalt`. */
export type Manifest = {
  readonly description: string;
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
  readonly guard: Readonly<Record<string, readonly unknown[]>>;
  readonly audit: Readonly<Record<string, readonly unknown[]>>;
};

/** Hooks that are installed only when they are asked for. */
export type Extras = { readonly guard: boolean; readonly audit: boolean };

export const manifests = { claude, codex, cursor, gemini } as const satisfies Record<string, Manifest>;

/** The hooks of a manifest as entries of a settings file, started as `program`. */
export const hookEntries = (manifest: Manifest, program: string, extras: Extras): readonly Entry[] =>
  groupsOf(manifest, extras)
    .flatMap(Object.entries<readonly unknown[]>)
    .flatMap(([event, items]) =>
      items.map((item): Entry => ({ kind: "item", path: ["hooks", event], value: startedAs(item, program) })),
    );

/** The same value with every command `gestalt …` started as `program`. */
export function startedAs(value: unknown, program: string): unknown {
  if (Array.isArray(value)) return value.map((item) => startedAs(item, program));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (key !== "command" || typeof held !== "string") return [key, startedAs(held, program)];
      const [, ...args] = held.split(" ");
      return [key, args.length === 0 ? program : shellLine(program, args)];
    }),
  );
}

const groupsOf = ({ hooks, guard, audit }: Manifest, extras: Extras) => [
  hooks,
  ...(extras.guard ? [guard] : []),
  ...(extras.audit ? [audit] : []),
];

/** The events that a manifest's commands name: `session-start`, `prompt`, … */
export const eventsOf = (manifest: Manifest, extras: Extras): readonly string[] => {
  const text = JSON.stringify(groupsOf(manifest, extras));
  const found = [...text.matchAll(/"(?:gestalt hook |args":\["hook",")([a-z-]+)"/g)].map(([, event]) => event ?? "");
  return [...new Set(found)];
};
