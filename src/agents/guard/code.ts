import { judgeFile, judgeTree } from "./delete.ts";
import { optionsOf } from "./options.ts";
import type { Ground } from "./places.ts";
import { gravest, type Verdict } from "./verdict.ts";

const inline: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  python3: /^-[a-zA-Z]*c$/,
  python2: /^-[a-zA-Z]*c$/,
  pypy3: /^-c$/,
  node: /^(-e|-p|-pe|--eval|--print)$/,
  bun: /^(-e|-p|--eval|--print)$/,
  deno: /^eval$/,
  ruby: /^-[a-zA-Z]*e$/,
  perl: /^-[a-zA-Z]*[eE]$/,
  php: /^-r$/,
  lua: /^-e$/,
  osascript: /^-e$/,
};
/** Their program is their first word. */
const awk = /^[gmn]?awk$/;
const deletes =
  /rmtree|rm_rf|rm_r\b|remove_tree|rmSync|rmdirSync|fs\.rm\b|\brm\(|rimraf|emptyDir|deltree|remove_dir_all/;
const unlinks = /unlink|os\.remove\b/;
const starts = /system|popen|exec|spawn|subprocess|shell|check_call|check_output|run\(|`|\bsh\b|%x/;
const literal = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/g;

/** Programs that run text in another language. */
export const isInterpreter = (program: string): boolean =>
  awk.test(program) || Object.hasOwn(inline, program.replace(/^(python|ruby|perl|php|lua)[\d.]+$/, "$1"));

/** The code that an interpreter is given on its command line, or on stdin. */
export function codeOf(program: string, args: readonly string[], input: string | undefined): string | undefined {
  if (awk.test(program)) return optionsOf(args, new Set(["f", "v", "F"])).words[0];
  const option = inline[program.replace(/^(python|ruby|perl|php|lua)[\d.]+$/, "$1")];
  if (option === undefined) return undefined;
  const at = args.findIndex((word) => option.test(word));
  if (at >= 0) return args[at + 1];
  return args.every((word) => word === "-" || word.startsWith("-")) ? input : undefined;
}

/**
 * What stands against code in another language, as far as its string literals show: paths it deletes, shell commands it
 * starts. Code that puts its strings together is not seen through.
 *
 * @param shell judges a text as a shell script
 */
export function judgeCode(
  code: string,
  ground: Ground,
  shell: (text: string) => Verdict | undefined,
): Verdict | undefined {
  const texts = [...code.matchAll(literal)].map(([, double, single, tick]) => double ?? single ?? tick ?? "");
  const home = /expanduser|homedir\(\)|Path\.home|Dir\.home|ENV\[.HOME.\]|environ/.test(code) && deletes.test(code);
  return gravest([
    ...(deletes.test(code)
      ? texts
          .filter((text) => /^[~/.]|^[A-Za-z]:/.test(text))
          .map((text) => judgeTree(text.replace(/^~(?=\/|$)/, ground.home), ground))
      : []),
    ...(unlinks.test(code) ? texts.map((text) => judgeFile(text.replace(/^~(?=\/|$)/, ground.home), ground)) : []),
    home && !texts.some((text) => text.length > 2 && text !== "HOME" && !text.startsWith("~"))
      ? judgeTree(ground.home, ground)
      : undefined,
    ...(starts.test(code) ? [...texts, listed(code)].map(shell) : []),
  ]);
}

/** `["rm", "-rf", "/"]` as one command line. */
const listed = (code: string): string => {
  const [, list = ""] = /[[(]\s*((?:["'][^"']*["']\s*,\s*)+["'][^"']*["'])\s*[\])]/.exec(code) ?? [];
  return [...list.matchAll(/["']([^"']*)["']/g)].map(([, word]) => word).join(" ");
};
