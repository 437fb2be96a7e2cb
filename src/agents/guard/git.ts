import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { quoted } from "../quoted.ts";
import { hasAny, type Options, optionsOf } from "./options.ts";
import { ask, deny, gravest, type Verdict } from "./verdict.ts";
import { made, unknown } from "./words.ts";

const globalValued = new Set([
  "C",
  "c",
  "git-dir",
  "work-tree",
  "namespace",
  "exec-path",
  "super-prefix",
  "config-env",
  "attr-source",
]);
const protectedBranch = /^(refs\/heads\/)?(main|master|trunk|production|release)$/;

/** A git command line taken apart. `aliases` are shell scripts that `-c` or `git config` has it run, now or later. */
export type GitCall = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly aliases: readonly string[];
};

export function gitCall(args: readonly string[], cwd: string): GitCall {
  let at = 0;
  let folder = cwd;
  const aliases: string[] = [];
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-")) break;
    const [, long = ""] = /^--([^=]+)/.exec(word) ?? [];
    const name = long === "" ? word.slice(1, 2) : long;
    const takesNext = globalValued.has(name) && (long === "" ? word.length === 2 : !word.includes("="));
    const value = takesNext ? (args[++at] ?? "") : word.slice(2);
    if (name === "C" && !value.includes(unknown) && !value.includes(made))
      folder = isAbsolute(value) ? value : join(folder, value);
    const [, key = "", set = ""] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
    if (name === "c") aliases.push(...scriptsOf(key, set, args.slice(at + 1)));
  }
  const [command = "", ...rest] = args.slice(at);
  if (command === "config") {
    const [key = "", ...set] = rest.filter((word) => !word.startsWith("-") && word !== "set");
    aliases.push(...scriptsOf(key, set.join(" "), []));
  }
  return { command, args: rest, cwd: folder, aliases };
}

const programKeys =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass)|sequence\.editor|.*\.(textconv|clean|smudge|cmd|helper))$/i;

/** What a setting of git runs: a program, or an alias, with the words that stand behind it on the line. */
function scriptsOf(key: string, value: string, rest: readonly string[]): readonly string[] {
  if (programKeys.test(key)) return [value.replace(/^!/, "")];
  const [, alias] = /^alias\.(.+)$/i.exec(key) ?? [];
  if (alias === undefined) return [];
  const at = rest.indexOf(alias);
  const more = (at < 0 ? [] : rest.slice(at + 1)).map(quoted).join(" ");
  return [`${value.startsWith("!") ? value.slice(1) : `git ${value}`} ${more}`];
}

/** What stands against a git command: what loses work that is nowhere else, and what changes a shared branch. */
export function judgeGit(call: GitCall): Verdict | undefined {
  const rule = Object.hasOwn(rules, call.command) ? rules[call.command] : undefined;
  return rule?.(optionsOf(call.args, valued.get(call.command)), call);
}

const valued: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["push", new Set(["o", "push-option", "repo", "receive-pack", "exec"])],
  ["checkout", new Set(["b", "B", "orphan", "conflict", "pathspec-from-file"])],
  ["switch", new Set(["c", "C", "create", "force-create", "orphan"])],
  ["restore", new Set(["s", "source", "pathspec-from-file"])],
  ["clean", new Set(["e", "exclude"])],
]);

const drops = (branch: string): Verdict => ask("git", `moves ${branch} away from commits that are in no other branch`);
const loses = (what: string): Verdict => ask("git", `${what}: changes that are in no commit are lost`);

const rules: Readonly<Record<string, (options: Options, call: GitCall) => Verdict | undefined>> = {
  push,
  reset: (options) => (hasAny(options, "hard", "merge", "keep") ? loses("git reset --hard") : undefined),
  clean: (options) =>
    hasAny(options, "f", "force") && !hasAny(options, "n", "dry-run")
      ? ask("git", "git clean deletes files that git does not know")
      : undefined,
  config: (options) =>
    options.words.some((word) => /^core\.hookspath$/i.test(word)) && !hasAny(options, "get", "unset")
      ? ask("settings", "core.hooksPath decides which programs git runs")
      : undefined,
  submodule: (options) =>
    options.words[0] === "deinit" && hasAny(options, "f", "force") ? loses("git submodule deinit --force") : undefined,
  "read-tree": (options) =>
    hasAny(options, "reset") && hasAny(options, "u") ? loses("git read-tree --reset") : undefined,
  "checkout-index": (options) => (hasAny(options, "f", "force") ? loses("git checkout-index --force") : undefined),
  checkout(options, { args }) {
    if (hasAny(options, "f", "force")) return loses("git checkout --force");
    const moved = options.values.get("B");
    if (moved !== undefined) return protectedBranch.test(moved) ? drops(moved) : undefined;
    if (hasAny(options, "b", "orphan", "t", "track", "detach", "d")) return undefined;
    const paths = args.includes("--") ? args.slice(args.indexOf("--") + 1) : [];
    const isPath = options.words.some((word) => word === "." || word === ":/" || /^\.{1,2}\/|\/$|^\*/.test(word));
    return paths.length > 0 ||
      isPath ||
      options.words.length > 1 ||
      hasAny(options, "ours", "theirs", "pathspec-from-file")
      ? loses("git checkout of files")
      : undefined;
  },
  switch(options) {
    const moved = options.values.get("C") ?? options.values.get("force-create");
    if (hasAny(options, "f", "discard-changes") || options.long.has("force")) return loses("git switch --force");
    return moved !== undefined && protectedBranch.test(moved) ? drops(moved) : undefined;
  },
  restore: (options) =>
    hasAny(options, "staged", "S") && !hasAny(options, "worktree", "W") ? undefined : loses("git restore"),
  branch: (options) =>
    hasAny(options, "D") || (hasAny(options, "d", "delete") && hasAny(options, "f", "force"))
      ? ask("git", "git branch -D drops commits that are in no other branch")
      : hasAny(options, "f", "force", "M") && options.words.length > 0
        ? drops(options.words[0] ?? "")
        : undefined,
  stash: (options) =>
    ["drop", "clear"].includes(options.words[0] ?? "")
      ? ask("git", `git stash ${options.words[0]} loses what was put away`)
      : undefined,
  reflog: (options) =>
    ["expire", "delete"].includes(options.words[0] ?? "") ? ask("git", "the reflog is the last way back") : undefined,
  gc: (options) =>
    options.values.get("prune") === "now" || hasAny(options, "prune=now")
      ? ask("git", "git gc --prune=now ends every way back")
      : undefined,
  prune: () => ask("git", "git prune ends every way back"),
  "filter-branch": () => ask("git", "git filter-branch rewrites history"),
  "filter-repo": () => ask("git", "git filter-repo rewrites history"),
  "update-ref": (options) => (hasAny(options, "d") ? ask("git", "git update-ref -d drops a branch") : undefined),
  worktree: (options) =>
    options.words[0] === "remove" && hasAny(options, "f", "force") ? loses("git worktree remove --force") : undefined,
  rm: (options) => (hasAny(options, "f", "force") && !hasAny(options, "cached") ? loses("git rm --force") : undefined),
};

function push(options: Options, { cwd }: GitCall): Verdict | undefined {
  if (hasAny(options, "n", "dry-run")) return undefined;
  const refs = options.words.slice(1);
  const target = (ref: string): string => ref.replace(/^\+/, "").split(":").at(-1) ?? "";
  const isProtected = (ref: string): boolean => {
    const name = target(ref);
    return protectedBranch.test(name === "HEAD" || name === "@" ? (currentBranch(cwd) ?? "") : name);
  };
  const here = refs.length === 0 && protectedBranch.test(currentBranch(cwd) ?? "");
  const shared = here || refs.some(isProtected) || hasAny(options, "all", "branches");
  return gravest([
    hasAny(options, "mirror") ? deny("push", "git push --mirror overwrites every branch") : undefined,
    hasAny(options, "f", "force") || refs.some((ref) => ref.startsWith("+"))
      ? deny("push", "git push --force overwrites what others have pushed; --force-with-lease does not")
      : undefined,
    hasAny(options, "d", "delete") || refs.some((ref) => /^:./.test(ref))
      ? ask("push", "deletes a branch or tag for everybody")
      : undefined,
    hasAny(options, "prune") ? ask("push", "git push --prune deletes branches for everybody") : undefined,
    shared ? ask("push", "pushes to a branch that others build on") : undefined,
  ]);
}

/** The branch that is checked out, from the repository's own file; undefined when there is none, or it cannot be read. */
export function currentBranch(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const head = headIn(join(folder, ".git"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
    if (folder === dirname(folder)) return undefined;
  }
}

function headIn(git: string): string | undefined {
  const read = (file: string): string | undefined => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  };
  const head = read(join(git, "HEAD"));
  if (head !== undefined) return head;
  // In a worktree `.git` is a file that names the folder.
  const [, folder] = /^gitdir: (.+)$/m.exec(read(git) ?? "") ?? [];
  return folder === undefined
    ? undefined
    : read(join(isAbsolute(folder) ? folder : join(dirname(git), folder), "HEAD"));
}
