/**
 * What a command is, and how a command line becomes a run of one. A command is a file like this:
 *
 *     export default command({
 *       name: "search",
 *       description: "Find sections in your notes",
 *       args: {
 *         words: { kind: "positional", many: true, required: true, description: "what you are looking for" },
 *         json: { kind: "boolean", description: "one JSON object" },
 *       },
 *       knobs: ["vault", "db", "limit"],
 *       async run({ args, settings, flags }) {
 *         const { search } = await import("../engine/search.ts");   // heavy imports wait until here
 *         console.log(…);                                          // `return 1` to have said no
 *       },
 *     });
 *
 * A knob's flag, type, range, default and help come from the table in `knobs.ts`. `settings` are resolved from flags, variables
 * and defaults; whoever reads a `.gestalt.yml` resolves again with `flags`. Errors are thrown as GestaltError and printed here.
 * A group (`gestalt model list`) is a file with `export default group({ name, description, commands })`.
 *
 * citty draws the help screens. Its parser is not used: it lets an unknown flag pass, keeps the last of a repeated flag, takes
 * a positional for a sub-command, runs a parent after its child, and prints help on stdout after an error.
 */
import { GestaltError } from "../errors.ts";
import type { Rule } from "../kinds.ts";
import { knobs } from "../knobs.ts";
import { nearest } from "../nearest.ts";
import { type Flags, idleVariables, type KnobName, resolveSettings, type Settings } from "../settings.ts";
import { type Args, type Given, give, type Parsed, parse } from "./arguments.ts";
import { isDebugging, notice, stoppedAt } from "./failure.ts";

type Definition<A extends Args, N extends KnobName> = {
  readonly name: string;
  readonly description: string;
  readonly args: A;
  readonly knobs?: readonly N[];
  /** For hooks, which may never stand in the way: no notice, no error, exit code 0, whatever happens. */
  readonly silent?: boolean;
  /** Returns an exit code other than 0 to have said no. */
  run(given: {
    readonly args: Given<A>;
    readonly settings: Settings<N>;
    readonly flags: Flags;
  }): Promise<number | undefined> | Promise<void>;
};

export type Command = {
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  readonly knobs: readonly KnobName[];
  readonly silent: boolean;
  /** @param path the command as typed, for errors */
  execute(parsed: Parsed, path: string): Promise<number>;
};

export type Group = {
  readonly name: string;
  readonly description: string;
  /** As of a command, and for a command that the group does not have. */
  readonly silent?: boolean;
  /** By name. Each is loaded when it is run, or listed. */
  readonly commands: Readonly<Record<string, () => Promise<{ readonly default: Command | Group }>>>;
  /** What a first word that is none of the commands is for: `gestalt bench scifact`. */
  readonly otherwise?: Command;
};

export const group = (definition: Group): Group => definition;

export function command<const A extends Args, const N extends KnobName = never>({
  name,
  description,
  args,
  knobs: names = [],
  silent = false,
  run,
}: Definition<A, N>): Command {
  return {
    name,
    description,
    args,
    knobs: names,
    silent,
    async execute(parsed, path) {
      const flags: Flags = Object.fromEntries(names.map((knob) => [knob, parsed.flags[knob]]));
      const { values: settings } = resolveSettings({ flags }, names);
      const given = give(args, parsed, path);
      if (!silent && names.length > 0) for (const line of idleVariables()) notice(line);
      return (await run({ args: given, settings, flags })) ?? 0;
    },
  };
}

/**
 * Runs what a command line asks for, says on stderr what it stopped at, and returns the exit code: 0 done, 1 failed or
 * said no, 2 nothing could be done at all.
 */
export async function main(root: Group, version: string, argv: readonly string[]): Promise<number> {
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  let silent = false;
  try {
    if (options[0] === "--version" || options[0] === "-v") {
      console.log(version);
      return 0;
    }
    const { found, path, rest } = await find(root, argv, (quiet) => {
      silent = quiet;
    });
    const parsed = "commands" in found ? undefined : parse(rest, rulesOf(found), path);
    if (!("commands" in found) && parsed?.help === false) return await found.execute(parsed, path);
    const { showHelp } = await import("./help.ts");
    await showHelp(found, path, version);
    return 0;
  } catch (error) {
    if (!silent) return stoppedAt(error, options.includes("--json"));
    if (isDebugging()) stoppedAt(error, false);
    return 0;
  }
}

/** Walks from group to group. A group alone, or with `--help`, is itself what was asked for. */
async function find(root: Group, argv: readonly string[], silence: (quiet: boolean) => void) {
  let found: Command | Group = root;
  let path = root.name;
  let rest = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  while ("commands" in found) {
    const [word, ...others] = rest;
    if (word === undefined || word === "-h" || word === "--help") break;
    const load = new Map(Object.entries(found.commands)).get(word);
    if (load === undefined && found.otherwise !== undefined) return { found: found.otherwise, path, rest };
    if (load === undefined) {
      const [near] = nearest(word, Object.keys(found.commands));
      const what = word.startsWith("-") ? "option" : "command";
      throw new GestaltError("usage", `unknown ${what} ${word}`, `${path} ${near ?? "--help"}`);
    }
    found = (await load()).default;
    silence(found.silent ?? false);
    path = `${path} ${word}`;
    rest = others;
  }
  return { found, path, rest };
}

function rulesOf({ args, knobs: names }: Command): Readonly<Record<string, Rule>> {
  const rules: Record<string, Rule> = {};
  for (const [name, arg] of Object.entries(args)) if (arg.kind !== "positional") rules[name] = arg;
  for (const name of names) rules[name] = knobs[name];
  return rules;
}
