import { codeOf, isInterpreter, judgeCode } from "./code.ts";
import { judgeDeploy } from "./deploy.ts";
import { type FreshFiles, freshFiles, inputText, loaded, loader, programOf, runFile } from "./feed.ts";
import { judgeWrite } from "./files.ts";
import { findCall, judgeFind } from "./find.ts";
import { gitCall, judgeGit } from "./git.ts";
import type { Ground } from "./places.ts";
import { isPowerShell, judgePowerShell } from "./powershell.ts";
import { judgeProgram } from "./rules.ts";
import { readScript, type Simple } from "./script.ts";
import { judgeSqlClient } from "./sql.ts";
import { positionals, shells, unwrap } from "./unwrap.ts";
import { ask, deny, gravest, type Verdict } from "./verdict.ts";
import { made, type Scope, unknown } from "./words.ts";

/** A person's own rules: what they say of one simple command, before ours are asked. */
export type OwnRules = (argv: readonly string[]) => Verdict | "allow" | undefined;

/** `fresh`: files that the line has written itself. */
type Context = {
  readonly own: OwnRules;
  readonly depth: number;
  readonly loaders: boolean;
  readonly fresh: FreshFiles;
};

/** Commands in commands, and scripts in scripts, are followed this far; what lies deeper is asked about, never let pass. */
const deepest = 16;
const tooDeep = ask("depth", "a command in a command in a command: nobody can tell what it does");
const decoder = /^(base64|base32|xxd|uudecode|openssl|gunzip|zcat|xz|rev|tr|gpg)$/;

/**
 * What stands against a shell script, each of its commands judged by itself: one that is harmless excuses no other.
 *
 * @param ground the working folder and home that it would be run in
 */
export const judgeShell = (text: string, ground: Ground, own: OwnRules = () => undefined): Verdict | undefined =>
  judgeText(text, { ...ground, variables: new Map() }, [], { own, depth: 0, loaders: false, fresh: new Map() });

function judgeText(
  text: string,
  { cwd, home, project, root, settings, variables }: Scope,
  positional: readonly string[],
  context: Context,
): Verdict | undefined {
  if (context.depth > deepest) return tooDeep;
  const { commands, bomb } = readScript(text, {
    cwd,
    home,
    project,
    root,
    settings,
    variables: new Map([...variables, ...positionals(positional)]),
  });
  const fresh = new Map([...context.fresh, ...freshFiles(commands)]);
  const loaders = context.loaders || commands.some(({ argv }) => loader.test(programOf(argv)));
  return gravest([
    bomb ? deny("machine", "a function that starts itself without end") : undefined,
    ...commands.map((command) => judgeCommand(command, { ...context, depth: context.depth + 1, loaders, fresh })),
  ]);
}

/** Whether a program stands anywhere before in a pipeline. */
const comesFrom = (from: readonly Simple[], program: RegExp): boolean =>
  from.some(({ argv, input }) => program.test(programOf(argv)) || comesFrom(input.from, program));

function judgeCommand(command: Simple, context: Context): Verdict | undefined {
  const said = command.argv.length === 0 ? undefined : context.own(command.argv);
  if (said === "allow") return undefined;
  const { argv } = command;
  const program = programOf(argv);
  const args = argv.slice(1);
  const input = inputText(command);
  return gravest([
    said,
    ...command.writes.map((path) => judgeWrite(path, command)),
    ...innerCommands(command, program, args, context),
    program === "git" ? judgeGitLine(command, args, context) : undefined,
    program === "find" ? judgeFindLine(command, args, context) : undefined,
    judgeFresh(command, program, context),
    judgeProgram(program, args, command),
    judgeDeploy(program, args),
    judgeSqlClient(program, args, input),
    isPowerShell(program) ? judgePowerShell(args, command, (text) => judgeText(text, command, [], context)) : undefined,
    isInterpreter(program) ? judgeInline(command, program, args, input, context) : undefined,
    shells.has(program) || program === "source" || program === "." || program === "eval"
      ? judgeFed(command, program, args, context)
      : undefined,
  ]);
}

function innerCommands(
  command: Simple,
  program: string,
  args: readonly string[],
  context: Context,
): readonly (Verdict | undefined)[] {
  const deeper = { ...context, depth: context.depth + 1 };
  const inside = unwrap(program, args, command.cwd);
  if (context.depth > deepest) return program === "xargs" || inside.length > 0 ? [tooDeep] : [];
  if (program === "xargs") return judgeXargs(command, args, deeper);
  return inside.map((inner) =>
    inner.kind === "script"
      ? judgeText(inner.text, command, inner.positional, deeper)
      : judgeCommand({ ...command, writes: [], argv: inner.argv, cwd: inner.cwd ?? command.cwd }, deeper),
  );
}

function judgeGitLine(command: Simple, args: readonly string[], context: Context): Verdict | undefined {
  const call = gitCall(args, command.cwd);
  return gravest([judgeGit(call), ...call.aliases.map((text) => judgeText(text, command, [], context))]);
}

function judgeFindLine(command: Simple, args: readonly string[], context: Context): Verdict | undefined {
  const call = findCall(args);
  const inner = call.commands.map((argv) => judgeCommand({ ...command, writes: [], argv }, context));
  return gravest([judgeFind(call, command), ...call.writes.map((path) => judgeWrite(path, command)), ...inner]);
}

function judgeInline(
  command: Simple,
  program: string,
  args: readonly string[],
  input: string | undefined,
  context: Context,
): Verdict | undefined {
  const code = codeOf(program, args, input);
  const loaded = code === undefined && comesFrom(command.input.from, loader);
  if (loaded && args.every((word) => word.startsWith("-")))
    return deny("download", `runs what ${program} gets from the internet`);
  return code === undefined ? undefined : judgeCode(code, command, (text) => judgeText(text, command, [], context));
}

/** `xargs COMMAND`: with what comes in, as far as that is known. */
function judgeXargs(command: Simple, args: readonly string[], context: Context): readonly (Verdict | undefined)[] {
  const valued = new Set([..."InLPsdaEJR", "max-args", "max-procs", "replace", "delimiter", "arg-file", "max-lines"]);
  let at = 0;
  let place: string | undefined;
  for (; at < args.length && /^-./.test(args[at] ?? ""); at++) {
    const word = args[at] ?? "";
    const name = word.startsWith("--") ? word.slice(2) : word.slice(1, 2);
    const value = valued.has(name) && (word.startsWith("--") || word.length === 2) ? (args[++at] ?? "") : word.slice(2);
    if (name === "I" || name === "J" || name === "replace") place = value || "{}";
  }
  const inner = args.slice(at);
  if (inner.length === 0) return [];
  const items = itemsOf(command);
  const argv =
    place === undefined ? [...inner, ...items] : inner.map((word) => word.replaceAll(place, items[0] ?? unknown));
  return [judgeCommand({ ...command, writes: [], input: { text: undefined, from: [] }, argv }, context)];
}

/** The words that a pipeline hands on: those of `echo`, or what `find` picks in the project; else nobody knows. */
function itemsOf(command: Simple): readonly string[] {
  const text = inputText(command);
  if (text !== undefined) return text.split(/\s+/).filter(Boolean);
  const [source] = command.input.from;
  const program = programOf(source?.argv ?? []);
  if (source !== undefined && (program === "find" || program === "fd")) {
    const { starts, picks } = findCall(source.argv.slice(1));
    return picks || program === "fd" ? [made] : starts;
  }
  return source !== undefined && program === "git" ? [made] : [unknown];
}

/** A file that is run and that the line has written itself: its text is judged where it stands here. */
function judgeFresh(command: Simple, program: string, context: Context): Verdict | undefined {
  const file = runFile(command);
  const text = file === undefined ? undefined : context.fresh.get(file);
  if (text === undefined) return undefined;
  if (text === loaded) return ask("download", "runs what it has just got from the internet, unseen");
  // A file that runs itself is judged once.
  const fresh = new Map([...context.fresh].filter(([path]) => path !== file));
  const shell = (script: string) => judgeText(script, command, [], { ...context, depth: context.depth + 1, fresh });
  return isInterpreter(program) ? judgeCode(text, command, shell) : shell(text);
}

/** A shell that runs what it is fed: text that stands here is judged, what comes from the internet is refused. */
function judgeFed(command: Simple, program: string, args: readonly string[], context: Context): Verdict | undefined {
  const refusal = deny("download", "runs what comes from the internet, unseen");
  const substituted = args.some((word) => word.includes(made) || word.includes(unknown));
  if (context.loaders && substituted) return refusal;
  const readsStdin =
    args.some((word) => /^\/dev\/(stdin|fd\/)/.test(word)) ||
    (shells.has(program) &&
      (args.includes("-s") || args.every((word) => word.startsWith("-") && !/^-[a-z]*c/.test(word))));
  if (!readsStdin) return undefined;
  const { from } = command.input;
  if (comesFrom(from, loader)) return refusal;
  if (comesFrom(from, decoder)) return ask("download", "runs text that is decoded first");
  const text = inputText(command);
  return text === undefined ? undefined : judgeText(text, command, [], { ...context, depth: context.depth + 1 });
}
