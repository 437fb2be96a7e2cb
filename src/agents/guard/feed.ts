import { posix } from "node:path";
import { isInterpreter } from "./code.ts";
import { optionsOf } from "./options.ts";
import type { Simple } from "./script.ts";
import { shells } from "./unwrap.ts";

export const loader = /^(curl|wget|fetch|aria2c|http|https|xh|lwp-request)$/;

/** The name of a program without its folder. */
export const programOf = ([name = ""]: readonly string[]): string =>
  name.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "");

/** What a command reads on stdin, when that stands in the script: a heredoc, or the words of `echo`. */
export function inputText({ input: { text, from } }: Simple): string | undefined {
  if (text !== undefined) return text;
  const last = from.at(-1);
  if (last === undefined || from.length !== 1 || !/^(echo|printf|print)$/.test(programOf(last.argv))) return undefined;
  return optionsOf(last.argv.slice(1)).words.join(" ").replaceAll("\\n", "\n");
}

/** Stands for the text of a file that comes from the internet. */
export const loaded = Symbol("loaded");

/** Files that a line writes before it may run them, by path, with their text where that stands in the line. */
export type FreshFiles = ReadonlyMap<string, string | typeof loaded>;

export function freshFiles(commands: readonly Simple[]): FreshFiles {
  const files = new Map<string, string | typeof loaded>();
  for (const command of commands) {
    const { argv, writes } = command;
    const program = programOf(argv);
    if (loader.test(program))
      for (const path of [...writes, ...loadedInto(program, argv.slice(1))]) files.set(placed(path, command), loaded);
    const text = /^(echo|printf)$/.test(program) ? argv.slice(1).join(" ") : inputText(command);
    if (text === undefined || !/^(cat|echo|printf|tee)$/.test(program)) continue;
    const paths = program === "tee" ? optionsOf(argv.slice(1)).words : writes;
    for (const path of paths) files.set(placed(path, command), text.replaceAll("\\n", "\n"));
  }
  return files;
}

/** Where curl and wget put what they get. */
function loadedInto(program: string, args: readonly string[]): readonly string[] {
  const valued = new Set(["o", "output", "O", "output-document"]);
  if (program === "curl") valued.delete("O");
  const { values, flags, words } = optionsOf(args, valued);
  const named = [...values.values()];
  const byAddress = program === "curl" ? flags.has("O") || flags.has("remote-name") : named.length === 0;
  return byAddress ? [...named, ...words.map((word) => word.replace(/[?#].*$/, "").replace(/^.*\//, ""))] : named;
}

/** The file that a command runs: a script that a shell or an interpreter is given, or the program itself. */
export function runFile(command: Simple): string | undefined {
  const [first = "", ...args] = command.argv;
  const program = programOf(command.argv);
  if (shells.has(program) || isInterpreter(program) || program === "source" || program === ".") {
    const file = args.find((word) => !word.startsWith("-"));
    return file === undefined ? undefined : placed(file, command);
  }
  return first.includes("/") ? placed(first, command) : undefined;
}

const placed = (path: string, { cwd }: Simple): string =>
  posix.normalize(path.startsWith("/") ? path : `${cwd}/${path}`);
