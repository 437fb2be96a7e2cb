import { judgeFile, judgeRights, judgeTree, shown } from "./delete.ts";
import { disks, format } from "./disks.ts";
import { judgeWrite } from "./files.ts";
import { hasAny, type Options, optionsOf } from "./options.ts";
import { type Ground, placeOf } from "./places.ts";
import { ask, deny, gravest, type Verdict } from "./verdict.ts";

type Rule = (options: Options, ground: Ground, args: readonly string[]) => Verdict | undefined;

const none: ReadonlySet<string> = new Set();
const device = (path: string): boolean => /^\/dev\/(?!null$|stdout$|stderr$|tty|fd\/|shm\/|zero$|u?random$)/.test(path);

const remove: Rule = (options, ground) => {
  if (hasAny(options, "no-preserve-root")) return deny("delete", "rm --no-preserve-root has one use");
  const judge = hasAny(options, "r", "R", "recursive") ? judgeTree : judgeFile;
  return gravest(options.words.map((path) => judge(path, ground)));
};
const removeTree: Rule = (options, ground) => gravest(options.words.map((path) => judgeTree(path, ground)));
const rights: Rule = (options, ground) => {
  const [mode = "", ...paths] = options.flags.has("reference") ? ["", ...options.words] : options.words;
  const open = /^[0-7]*[0-7]?7{2}7$|^[0-7]?666$|^(a|ugo|o)?[+=].*w/.test(mode) && /7$|w/.test(mode);
  if (!hasAny(options, "R", "recursive") && !open) return undefined;
  return gravest([
    ...paths.map((path) => judgeRights(path, ground)),
    hasAny(options, "R", "recursive") && open && /^[0-7]+$|(^|,)[ugo]*[ao][ugo]*[+=]\w*w/.test(mode)
      ? ask("rights", `makes ${paths.map(shown).join(" ")} writable for everybody`)
      : undefined,
  ]);
};
const recursiveRights: Rule = (options, ground) =>
  hasAny(options, "R", "recursive") ? gravest(options.words.map((path) => judgeRights(path, ground))) : undefined;
/** The first word is an owner. */
const ownership: Rule = (options, ground, args) =>
  recursiveRights({ ...options, words: options.words.slice(1) }, ground, args);
const copy: Rule = (options, ground) => {
  const into = options.values.get("t") ?? options.values.get("target-directory");
  const target = into ?? (options.words.length > 1 ? options.words.at(-1) : undefined);
  return target === undefined ? undefined : judgeWrite(target, ground);
};
const power: Rule = () => ask("machine", "stops the machine");

/** What stands against a program by itself. Programs with a file of their own (git, find, SQL clients, …) are not here. */
const rules: Readonly<Record<string, readonly [Rule, ReadonlySet<string>]>> = {
  rm: [remove, none],
  unlink: [remove, none],
  grm: [remove, none],
  rimraf: [removeTree, none],
  rmtree: [removeTree, none],
  "del-cli": [removeTree, none],
  shred: [
    (options, ground) =>
      gravest([
        ...options.words.map((path) => (device(path) ? deny("device", "overwrites a disk") : judgeFile(path, ground))),
        ask("delete", "shred leaves nothing to restore"),
      ]),
    new Set(["n", "s", "iterations", "size"]),
  ],
  srm: [removeTree, none],
  wipe: [removeTree, none],
  mv: [
    (options, ground) => {
      const sources = options.words.slice(0, -1);
      if (options.words.at(-1) === "/dev/null" && sources.length > 0)
        return deny("delete", "moves files to where nothing comes back");
      const moved = sources.map((path) => {
        const kind = placeOf(path, ground);
        return kind === "system" || kind === "home" ? deny("delete", `moves ${shown(path)} away`) : undefined;
      });
      return gravest([...moved, copy(options, ground, [])]);
    },
    new Set(["t", "target-directory", "S", "suffix"]),
  ],
  cp: [copy, new Set(["t", "target-directory", "S", "suffix"])],
  install: [copy, new Set(["t", "target-directory", "m", "mode", "o", "g"])],
  ln: [copy, new Set(["t", "target-directory", "S"])],
  tee: [(options, ground) => gravest(options.words.map((path) => judgeWrite(path, ground))), none],
  truncate: [
    (options, ground) => gravest(options.words.map((path) => judgeWrite(path, ground))),
    new Set(["s", "size", "r", "reference"]),
  ],
  sed: [
    (options, ground, args) =>
      args.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word))
        ? gravest(
            options.words
              .slice(hasAny(options, "e", "expression", "f") ? 0 : 1)
              .map((path) => judgeWrite(path, ground)),
          )
        : undefined,
    new Set(["e", "expression", "f", "file"]),
  ],
  rsync: [
    (options, ground) => {
      const target = options.words.at(-1) ?? "";
      const deletes = [...options.flags].some((flag) => flag.startsWith("delete") || flag === "remove-source-files");
      return deletes && !target.includes(":")
        ? judgeTree(target, ground)
        : deletes
          ? ask("delete", "deletes files on another machine")
          : undefined;
    },
    new Set(["e", "rsh", "exclude", "include", "f", "filter"]),
  ],
  chmod: [rights, none],
  chown: [ownership, none],
  setfacl: [recursiveRights, new Set(["m", "x", "M", "X", "modify", "set"])],
  chattr: [recursiveRights, none],
  tar: [
    (options, ground, args) => {
      const extracts = hasAny(options, "x", "extract", "get") || /^[A-Za-z]*x/.test(args[0] ?? "");
      const into = options.values.get("C") ?? options.values.get("directory");
      return extracts && into !== undefined ? judgeWrite(into, ground) : undefined;
    },
    new Set(["C", "directory", "f", "file", "exclude"]),
  ],
  unzip: [
    (options, ground) => {
      const into = options.values.get("d");
      return into === undefined ? undefined : judgeWrite(into, ground);
    },
    new Set(["d", "x"]),
  ],
  systemctl: [
    ({ words: [verb = ""] }) =>
      /^(poweroff|reboot|halt|kexec|suspend|hibernate|isolate)$/.test(verb)
        ? ask("machine", "stops the machine")
        : undefined,
    none,
  ],
  gestalt: [
    ({ words: [verb, second] }) =>
      verb === "uninstall" || verb === "install"
        ? ask("settings", "changes what an agent's settings hold")
        : verb === "inbox" && second === "accept"
          ? ask("inbox", "puts a proposal into the notes; that is for the person to decide")
          : undefined,
    none,
  ],
  chgrp: [ownership, none],
  dd: [
    (_, ground, args) => {
      const target = args.find((word) => word.startsWith("of="))?.slice(3);
      if (target === undefined) return undefined;
      return device(target) ? deny("device", `overwrites ${target}`) : judgeWrite(target, ground);
    },
    none,
  ],
  ...disks,
  kill: [
    (_, __, args) =>
      args.at(-1) === "-1" && args.length > 1 ? deny("machine", "stops every process of the user") : undefined,
    none,
  ],
  shutdown: [power, none],
  reboot: [power, none],
  halt: [power, none],
  poweroff: [power, none],
  crontab: [
    (options) => (hasAny(options, "r") ? ask("settings", "crontab -r drops every job") : undefined),
    new Set(["u"]),
  ],
  userdel: [() => ask("machine", "removes a user"), none],
  "ssh-keygen": [
    (options, ground) =>
      options.values.has("f") && !hasAny(options, "y", "l", "F", "R", "B")
        ? judgeFile(options.values.get("f") ?? "", ground)
        : undefined,
    new Set(["f", "t", "b", "C", "N", "P"]),
  ],
};

export function judgeProgram(program: string, args: readonly string[], ground: Ground): Verdict | undefined {
  if (/^mkfs(\.|$)/.test(program) || /^newfs/.test(program)) return format(optionsOf(args));
  const found = Object.hasOwn(rules, program) ? rules[program] : undefined;
  if (found === undefined) return undefined;
  const [rule, valued] = found;
  return rule(optionsOf(args, valued), ground, args);
}
