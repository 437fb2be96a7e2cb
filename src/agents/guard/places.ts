import { existsSync } from "node:fs";
import { posix } from "node:path";
import { made, unknown } from "./words.ts";

/**
 * Where a path leads, by what its loss would cost. `system`: the machine. `home`: all of a user's files. `keys`: what
 * cannot be made again. `project`: the working folder as a whole, or a folder it lies in. `outside`: somebody's files that are not of this
 * project. `unknown`: nobody can tell. `inside`: a part of the project, or what is meant to be thrown away.
 */
export type Kind = "system" | "home" | "keys" | "project" | "outside" | "unknown" | "inside";

/**
 * Where a command is run. `project` is the folder that the agent was started in, `root` that of its repository: what lies
 * in it is the project's own. `settings` are folders of agents' settings that are not where they would be by their names.
 */
export type Ground = {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  readonly root: string;
  readonly settings: readonly string[];
};

/** The ground of an agent at work in a folder. */
export function groundAt(cwd: string, home: string, settings: readonly string[] = []): Ground {
  let root = cwd;
  for (let folder = cwd; folder !== posix.dirname(folder); folder = posix.dirname(folder))
    if (existsSync(`${folder}/.git`)) {
      root = folder;
      break;
    }
  // A home folder under version control is no project.
  return { cwd, home, settings, project: cwd, root: isWithin(home, root) ? cwd : root };
}

const systemTop =
  /^\/(bin|boot|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications|Volumes|private|cores|snap|nix)$/;
const systemDeep =
  /^\/(bin|boot|dev|etc|lib|lib64|proc|sbin|sys|System)\/|^\/(usr|var|private\/(etc|var))\/[^/]+$|^\/(usr\/(bin|lib|sbin|share)|var\/lib)\//;
const users = /^\/(home|Users)\/[^/]+$/;
const thrownAway = /^\/(tmp|var\/tmp|private\/tmp|var\/folders|dev\/shm)\/[^*]/;
const keyFolders = [".ssh", ".gnupg", ".aws", ".kube", ".password-store", ".config/gcloud", ".local/share/keyrings"];
const caches = [".cache", "Library/Caches", ".npm", ".bun/install/cache", ".local/share/Trash"];

/** Where a path of a command line leads, as `rm` would take it: `~` and variables are put in already, globs are not. */
export function placeOf(written: string, { cwd, home, project, root }: Ground): Kind {
  if (written === "") return "inside";
  const path = written.replaceAll("\\", "/");
  if (/^[A-Za-z]:\/?\*?$/.test(path) || /^[A-Za-z]:\/(Windows|Users|Program Files)/i.test(path)) return "system";
  // Nothing in place of what is unknown would leave the rest: `"$x"/*` is `/*`.
  if (path.startsWith(unknown)) return "unknown";
  if (path.startsWith(made)) return "inside";
  const full = posix.normalize(path.startsWith("/") ? path : `${cwd}/${path}`).replace(/(?<=.)\/+$/, "");
  const target = full.replace(/\/(\*+|\.\*|\.\[!?\.?\]?\*|\.\?\?\*)$/, "") || "/";
  const all = target !== full;
  if (target === "/" || /^\/\*/.test(full) || systemTop.test(target) || users.test(target) || target === home)
    return target === home || users.test(target) ? "home" : "system";
  if (keyFolders.some((folder) => isWithin(target, `${home}/${folder}`))) return "keys";
  if (isWithin(project, target)) return "project";
  if (isWithin(target, project) || isWithin(target, root)) return /\/\.git$/.test(target) ? "project" : "inside";
  if (thrownAway.test(target) || caches.some((folder) => isWithin(target, `${home}/${folder}`)))
    return all && /^\/(var\/)?tmp$/.test(target) ? "outside" : "inside";
  if (systemDeep.test(target)) return "system";
  return "outside";
}

/** Whether a path is the folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
