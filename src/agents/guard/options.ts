/**
 * A command's words, sorted: `flags` are the options without their dashes, bundled ones one by one; `long` those of them that
 * had two dashes; `values` by option.
 */
export type Options = {
  readonly flags: ReadonlySet<string>;
  readonly long: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly words: readonly string[];
};

/**
 * Sorts the words of a command after its name, as `getopt` would: options stand anywhere before `--`.
 *
 * @param valued options that take the next word as their value, without dashes
 */
export function optionsOf(argv: readonly string[], valued: ReadonlySet<string> = new Set()): Options {
  const flags = new Set<string>();
  const spelled = new Set<string>();
  const values = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (!/^-./.test(word)) {
      words.push(word);
      continue;
    }
    const [, long, , written] = /^--([^=]+)(=(.*))?$/s.exec(word) ?? [];
    if (long !== undefined) {
      flags.add(long);
      spelled.add(long);
      if (written !== undefined) values.set(long, written);
      else if (valued.has(long)) values.set(long, argv[++i] ?? "");
      continue;
    }
    for (const [at, letter] of [...word.slice(1)].entries()) {
      flags.add(letter);
      if (!valued.has(letter)) continue;
      const rest = word.slice(at + 2);
      values.set(letter, rest === "" ? (argv[++i] ?? "") : rest);
      break;
    }
    // Programs that spell long options with one dash (`terraform -auto-approve`, `find -delete`).
    flags.add(word.slice(1));
  }
  return { flags, long: spelled, values, words };
}

/** Whether one of the options is there, also abbreviated, as git and getopt allow: `--har` is `--hard`. */
export const hasAny = ({ flags, long }: Options, ...names: readonly string[]): boolean =>
  names.some((name) => flags.has(name) || (name.length > 1 && long.values().some((start) => isStart(start, name))));

const isStart = (start: string, name: string): boolean => start.length > 1 && name.startsWith(start);
