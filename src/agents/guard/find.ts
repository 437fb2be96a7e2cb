import { judgeTree } from "./delete.ts";
import type { Ground } from "./places.ts";
import { ask, gravest, type Verdict } from "./verdict.ts";
import { made } from "./words.ts";

const tests =
  /^-(name|iname|path|ipath|regex|iregex|wholename|size|mtime|mmin|atime|ctime|newer\w*|empty|user|group|perm|links|inum|lname)$/;
const runs = /^-(exec|execdir|ok|okdir)$/;
const deleters = new Set(["rm", "unlink", "shred", "rimraf"]);

/** A `find` taken apart: where it looks, whether it picks, and what it does with what it finds. */
export type FindCall = {
  readonly starts: readonly string[];
  readonly picks: boolean;
  readonly deletes: boolean;
  readonly commands: readonly (readonly string[])[];
};

export function findCall(args: readonly string[]): FindCall {
  const begin = args.findIndex((word) => !/^-([HLPDO]|O\d)$/.test(word));
  const rest = begin < 0 ? [] : args.slice(begin);
  const cut = rest.findIndex((word) => /^[-(!,)]/.test(word));
  const starts = cut < 0 ? rest : rest.slice(0, cut);
  const commands: (readonly string[])[] = [];
  for (let at = Math.max(cut, 0); at < rest.length; at++) {
    if (!runs.test(rest[at] ?? "")) continue;
    const end = rest.findIndex((word, i) => i > at && (word === ";" || word === "+"));
    commands.push(rest.slice(at + 1, end < 0 ? rest.length : end));
    at = end < 0 ? rest.length : end;
  }
  const programs = commands.map(([program = ""]) => program.replace(/^.*\//, ""));
  return {
    starts: starts.length === 0 ? ["."] : starts,
    picks: rest.some((word) => tests.test(word)),
    deletes: rest.includes("-delete") || programs.some((program) => deleters.has(program)),
    commands: commands.map((command) => command.map((word) => word.replaceAll("{}", made))),
  };
}

/** What stands against a `find` that deletes: as against deleting its starting folders, milder when it picks what goes. */
export function judgeFind({ starts, picks, deletes }: FindCall, ground: Ground): Verdict | undefined {
  if (!deletes) return undefined;
  const verdict = gravest(starts.map((start) => judgeTree(start, ground)));
  if (!picks || verdict === undefined) return verdict;
  const inProject = starts.every(
    (start) => judgeTree(start === "." || start === "./" ? "./x" : start, ground) === undefined,
  );
  return inProject || verdict.decision === "ask" ? undefined : ask(verdict.rule, verdict.reason);
}
