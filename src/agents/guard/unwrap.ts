import { nested } from "./nested.ts";
import { optionsOf } from "./options.ts";
import { startedLater } from "./script.ts";
import { made, unknown } from "./words.ts";

/** What a command really starts: another command, or a shell script. `positional` are `$0`, `$1`, … of the script. */
export type Inner =
  | { readonly kind: "command"; readonly argv: readonly string[]; readonly cwd?: string }
  | { readonly kind: "script"; readonly text: string; readonly positional: readonly string[] };

/** A program that starts the command that stands after its own options. */
export type Wrapper = {
  /** Options that take the next word. */
  readonly valued: string;
  /** Words of its own before the command. */
  readonly skip?: number;
};

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: "u g h p C T U R D r t user group host prompt chdir" },
  doas: { valued: "u C" },
  env: { valued: "u unset C chdir" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  nohup: { valued: "" },
  setsid: { valued: "" },
  nice: { valued: "n adjustment" },
  ionice: { valued: "c n p t" },
  chrt: { valued: "T P D", skip: 1 },
  taskset: { valued: "", skip: 1 },
  time: { valued: "f o format output" },
  timeout: { valued: "k s kill-after signal", skip: 1 },
  gtimeout: { valued: "k s", skip: 1 },
  stdbuf: { valued: "i o e input output error" },
  chroot: { valued: "userspec groups", skip: 1 },
  strace: { valued: "e o p s u E" },
  flock: { valued: "w E c timeout", skip: 1 },
  unshare: { valued: "S G R w" },
  caffeinate: { valued: "t w" },
  busybox: { valued: "" },
  toybox: { valued: "" },
  npx: { valued: "p package c call" },
  bunx: { valued: "p package" },
  proxychains: { valued: "f" },
  ltrace: { valued: "e o p s u" },
  dotenv: { valued: "e f" },
  watch: { valued: "n interval" },
};

export const shells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "ash",
  "fish",
  "mksh",
  "rbash",
]);

/** What stands in a command line behind `sudo`, `env`, `sh -c`, `eval` and the like; empty when the command is itself. */
export function unwrap(program: string, args: readonly string[], cwd: string): readonly Inner[] {
  if (shells.has(program)) return shellScript(args);
  const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  if (wrapper !== undefined) return [...wrapped(program, wrapper, args, cwd)];
  switch (program) {
    case "eval":
      return [{ kind: "script", text: args.filter((word) => word !== "--").join(" "), positional: [] }];
    case "trap":
    case "ssh":
    case "parallel":
    case "su":
    case "runuser":
    case "script":
      return scriptOf(program, args);
    case "alias":
      return args.flatMap((word): Inner[] =>
        word.includes("=") ? [{ kind: "script", text: word.replace(/^[^=]*=/, ""), positional: [] }] : [],
      );
    default:
      return nested(program, args, cwd);
  }
}

export function* wrapped(
  program: string,
  { valued, skip = 0 }: Wrapper,
  args: readonly string[],
  cwd: string,
): Generator<Inner> {
  const takes = new Set(valued.split(" "));
  let folder = cwd;
  let at = 0;
  let own = skip;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") continue;
    if (program === "command" && /^-[vV]$/.test(word)) return;
    const [, option = ""] = /^--?([^=]+)/.exec(word) ?? [];
    if (option !== "") {
      const last = word.startsWith("--") ? option : (option.at(-1) ?? "");
      const next = takes.has(last) && !word.includes("=");
      const value = next ? (args[++at] ?? "") : word.replace(/^--?[^=]*=?/, "");
      if (/^(C|D|chdir)$/.test(last) && value.startsWith("/")) folder = value;
      const [, bundled] = /^-[a-zA-Z]*?S(.*)$/s.exec(word) ?? [];
      if (program === "env" && (bundled !== undefined || option === "split-string")) {
        const written = word.startsWith("--") && word.includes("=") ? value : bundled;
        const text = written || (args[++at] ?? "");
        yield { kind: "script", text: [text, ...args.slice(at + 1)].join(" "), positional: [] };
        return;
      }
      if ((program === "flock" || program === "npx") && /^(c|call|command)$/.test(last))
        yield { kind: "script", text: value, positional: [] };
      continue;
    }
    const [, name, set = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && ["env", "sudo", "doas"].includes(program)) {
      if (startedLater.test(name)) yield { kind: "script", text: set, positional: [] };
      continue;
    }
    if (own-- > 0) continue;
    break;
  }
  if (at >= args.length) return;
  yield { kind: "command", argv: args.slice(at), cwd: folder };
  if (program === "watch") yield { kind: "script", text: args.slice(at).join(" "), positional: [] };
}

/** `sh -c TEXT name args`; a shell that reads a file or stdin starts nothing that stands here. */
function shellScript(args: readonly string[]): readonly Inner[] {
  const at = args.findIndex((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word) || word === "--command");
  if (at < 0) return [];
  const rest = args.slice(at + 1);
  const from = rest.findIndex((word) => !/^[-+]/.test(word));
  return from < 0 ? [] : [{ kind: "script", text: rest[from] ?? "", positional: rest.slice(from + 1) }];
}

const sshValued = new Set([..."bcDEeFIiJLlmOopQRSWw"]);

function scriptOf(program: string, args: readonly string[]): readonly Inner[] {
  const script = (text: string | undefined): readonly Inner[] =>
    text === undefined || text === "" ? [] : [{ kind: "script", text, positional: [] }];
  if (program === "trap") return script(args.find((word) => !word.startsWith("-")));
  if (program === "ssh") {
    const proxies = args.flatMap((word) => script(/^(?:-o ?)?(?:Proxy|Local)Command[= ](.+)$/is.exec(word)?.[1]));
    let at = 0;
    for (; at < args.length && /^-./.test(args[at] ?? ""); at++)
      if (args[at]?.length === 2 && sshValued.has(args[at]?.[1] ?? "")) at++;
    return [...proxies, ...script(args.slice(at + 1).join(" "))];
  }
  if (program === "parallel") {
    const words = args.slice(args.findIndex((word) => !word.startsWith("-")));
    const end = words.findIndex((word) => /^:::/.test(word));
    const command = end < 0 ? words : words.slice(0, end);
    const items = end < 0 ? [unknown] : words.slice(end + 1);
    return items.flatMap((item) =>
      script(
        command.join(" ").includes("{}") ? command.join(" ").replaceAll("{}", item) : `${command.join(" ")} ${item}`,
      ),
    );
  }
  return script(
    optionsOf(args, new Set(["c", "command", "s", "shell"])).values.get("c") ??
      optionsOf(args, new Set(["command"])).values.get("command"),
  );
}

/** `$0`, `$1`, … and `$@` of a script, as variables. */
export const positionals = (values: readonly string[]): readonly (readonly [string, string])[] => [
  ...values.map((value, i) => [String(i), value] as const),
  ["@", values.slice(1).join(" ") || made],
  ["*", values.slice(1).join(" ") || made],
];
