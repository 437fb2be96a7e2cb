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
  /** Files that it writes its findings into. */
  readonly writes: readonly string[];
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
  const picks = rest.some((word) => tests.test(word));
  const all = starts.length === 0 ? ["."] : starts;
  const programs = commands.map(([program = ""]) => program.replace(/^.*\//, ""));
  return {
    starts: all,
    picks,
    deletes: rest.includes("-delete") || programs.some((program) => deleters.has(program)),
    writes: rest.filter((_, i) => /^-f(print0?|ls|printf)$/.test(rest[i - 1] ?? "")),
    // Where nothing is picked, the folder itself is among what is found.
    commands: (picks ? [made] : all).flatMap((found) =>
      commands.map((command) => command.map((word) => word.replaceAll("{}", found))),
    ),
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
