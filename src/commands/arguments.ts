import { GestaltError } from "../errors.ts";
import { allowed, example, type Rule, readValue, type Value, type ValueOf } from "../kinds.ts";
import { nearest } from "../nearest.ts";

/** What stands on a command line without a dash. `many` collects all of them. */
export type Positional = {
  readonly kind: "positional";
  readonly description: string;
  readonly required?: true;
  readonly many?: true;
};
/** What a command takes besides knobs. A boolean is a plain switch, off unless given; `--no-name` takes it back. */
export type Arg = Positional | (Rule & { readonly description: string });
export type Args = Readonly<Record<string, Arg>>;

/** The values a command's `run` gets. A flag that was not given is undefined (a switch: false, a list: empty). */
export type Given<A extends Args> = {
  readonly [Name in keyof A]: A[Name] extends { readonly kind: "positional" }
    ? A[Name] extends { readonly many: true }
      ? readonly string[]
      : A[Name] extends { readonly required: true }
        ? string
        : string | undefined
    : A[Name] extends { readonly kind: "boolean" }
      ? boolean
      : A[Name] extends { readonly kind: "list" }
        ? readonly string[]
        : ValueOf<A[Name]> | undefined;
};

/** A command line taken apart: per flag all values as typed, in order. A switch's are "on" and "off". */
export type Parsed = {
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly words: readonly string[];
  /** `-h` or `--help` was among the flags. */
  readonly help: boolean;
};

/**
 * Takes a command line apart. `--flag value`, `--flag=value`, `--switch`, `--no-switch`; flags and words in any order; all
 * after `--` is words.
 *
 * @param path the command as typed, for errors
 * @throws GestaltError "usage" for an unknown flag, naming the nearest, and for a flag without its value
 */
export function parse(argv: readonly string[], rules: Readonly<Record<string, Rule>>, path: string): Parsed {
  const flags: Record<string, string[]> = Object.create(null);
  const words: string[] = [];
  const end = argv.indexOf("--");
  const open = end < 0 ? argv : argv.slice(0, end);
  let help = false;
  for (let i = 0; i < open.length; i++) {
    const word = open[i]!;
    if (word === "-h" || word === "--help") help = true;
    else if (!word.startsWith("-") || word === "-") words.push(word);
    else {
      const { name, written, rule } = findFlag(word, rules, path);
      if (rule.kind === "boolean" || written !== undefined) {
        flags[name] = [...(flags[name] ?? []), written ?? "on"];
        continue;
      }
      const value = open[++i];
      if (value === undefined || (value.startsWith("-") && !/^-[\d.]|^-$/.test(value))) throw noValue(name, rule);
      flags[name] = [...(flags[name] ?? []), value];
    }
  }
  if (end >= 0) words.push(...argv.slice(end + 1));
  return { flags, words, help };
}

function findFlag(word: string, rules: Readonly<Record<string, Rule>>, path: string) {
  const [, typed = "", written] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const rule = Object.hasOwn(rules, typed) ? rules[typed] : undefined;
  if (rule !== undefined) return { name: typed, written, rule };
  const name = typed.replace(/^no-/, "");
  const negated = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (typed !== name && negated?.kind === "boolean" && written === undefined)
    return { name, written: "off", rule: negated };
  const shown = word.replace(/=.*/s, "");
  const [near] = nearest(name || shown.replace(/^-+/, ""), [...Object.keys(rules), "help"]);
  throw new GestaltError(
    "usage",
    `unknown option ${shown}`,
    near === undefined ? `${path} --help; text that begins with a dash goes after --` : `--${near}, or ${path} --help`,
  );
}

const noValue = (name: string, rule: Rule): GestaltError =>
  new GestaltError("usage", `--${name} needs a value: ${allowed(rule)}`, `--${name} ${example(rule)}`);

/**
 * The typed values of a command's own arguments.
 *
 * @throws GestaltError "usage" for a value that its rule does not allow, a word too many, and a required word that is missing
 */
export function give<A extends Args>(args: A, { flags, words }: Parsed, path: string): Given<A> {
  const left = [...words];
  const given = Object.entries(args).map(([name, arg]): readonly [string, Value | undefined] => {
    if (arg.kind !== "positional") return [name, readFlag(name, arg, flags[name] ?? [])];
    const taken = arg.many ? left.splice(0) : left.splice(0, 1);
    if (arg.required && taken.length === 0)
      throw new GestaltError("usage", `${path} needs ${name.toUpperCase()}: ${arg.description}`, `${path} --help`);
    return [name, arg.many ? taken : taken[0]];
  });
  if (left.length > 0)
    throw new GestaltError("usage", `${path} does not know what to do with "${left[0]}"`, `${path} --help`);
  // The definition types each value; entries lose the tie between a name and its value's type.
  return Object.fromEntries(given) as Given<A>;
}

function readFlag(name: string, rule: Rule, written: readonly string[]): Value | undefined {
  const values = written.map((text) => {
    const value = readValue(rule, text);
    if (value === undefined)
      throw new GestaltError("usage", `--${name} is "${text}", not ${allowed(rule)}`, `--${name} ${example(rule)}`);
    return value;
  });
  if (rule.kind === "list") return values.map(String);
  return values.at(-1) ?? (rule.kind === "boolean" ? false : undefined);
}
