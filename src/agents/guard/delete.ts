import { type Ground, type Kind, placeOf } from "./places.ts";
import { ask, deny, type Verdict } from "./verdict.ts";
import { made, unknown } from "./words.ts";

/** A path as it is shown to people: what could not be known as dots. */
export const shown = (path: string): string => path.replaceAll(unknown, "…").replaceAll(made, "…");

/** Words for each kind of place that is not to be deleted without a word. */
const losses: Readonly<Record<Exclude<Kind, "inside">, string>> = {
  system: "the system itself",
  home: "everything in a home folder",
  keys: "keys that cannot be made again",
  project: "the whole project, or its history",
  outside: "files that are not of this project",
  unknown: "nobody knows what",
};

/** What stands against deleting a path with all that is in it. */
export function judgeTree(path: string, ground: Ground): Verdict | undefined {
  const kind = placeOf(path, ground);
  if (kind === "inside") return undefined;
  const reason = `deletes ${shown(path)}: ${losses[kind]}`;
  const contents = kind === "project" && /(^|\/)(\*+|\.\*)$/.test(path);
  return kind === "outside" || kind === "unknown" || contents || /(^|\/)\.git\/?$/.test(path)
    ? ask("delete", reason)
    : deny("delete", reason);
}

/** What stands against deleting a single file. */
export function judgeFile(path: string, ground: Ground): Verdict | undefined {
  const kind = placeOf(path, ground);
  return kind === "system" || kind === "keys" || kind === "home"
    ? ask("delete", `deletes ${shown(path)}: ${losses[kind]}`)
    : undefined;
}

/** What stands against changing rights or owner of a path with all that is in it. */
export function judgeRights(path: string, ground: Ground): Verdict | undefined {
  const kind = placeOf(path, ground);
  return kind === "system" || kind === "home" || kind === "keys"
    ? deny("rights", `changes the rights of ${shown(path)}: ${losses[kind]}`)
    : undefined;
}
