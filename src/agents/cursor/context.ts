import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { homeDir } from "../../settings.ts";
import { objectIn, recordOf } from "../hooks/input.ts";
import { projectAt } from "../hooks/project.ts";
import { isOurHook } from "../install/command.ts";
import { look, write } from "../install/files.ts";
import { readIfThere } from "../state.ts";

const rulePath = ".cursor/rules/gestalt-context.mdc";
/** What `gestalt sync-cursor` wrote into a project. */
export const listPath = ".cursor/gestalt-sync.json";

/**
 * Whether a project was set up for Cursor: by sync-cursor, or by an installation into it. The user's own hooks, which run in
 * every project, say nothing of one.
 */
export function isSetUp(project: string): boolean {
  if ([rulePath, listPath].some((path) => existsSync(join(project, path)))) return true;
  const hooks = recordOf(objectIn(readIfThere(join(project, ".cursor/hooks.json")) ?? "")?.["hooks"]) ?? {};
  return project !== homeDir() && Object.values(hooks).flat().some(isOurHook);
}

/**
 * Puts what a session should know from its start into a rule that Cursor always applies, since Cursor takes no context from
 * a hook on a prompt. The file is kept out of git by the repository's own exclude list, which no commit touches.
 *
 * @param text the context; "" removes the rule
 */
export function putContextRule(project: string, text: string): void {
  const file = join(project, rulePath);
  if (text === "") {
    rmSync(file, { force: true });
    return;
  }
  const { real, text: now } = look(file, project);
  const rule = `---\ndescription: Recalled notes for this workspace (generated, do not edit)\nglobs:\nalwaysApply: true\n---\n\n${text}\n`;
  if (now !== rule) write(real, rule);
  exclude(project);
}

/** A project may lie below the top of its repository. */
function exclude(project: string): void {
  const { root } = projectAt(project);
  const git = gitFolder(root);
  if (git === undefined) return;
  const below = relative(root, join(project, rulePath)).split(sep).join("/");
  const line = `/${below.replace(/[\\*?[]/g, "\\$&")}`;
  const { real, text = "" } = look(join(git, "info", "exclude"));
  if (text.split(/\r?\n/).includes(line)) return;
  write(real, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** The folder of a repository, by its top; for a worktree that which all its trees share. */
function gitFolder(project: string): string | undefined {
  const git = join(project, ".git");
  const stat = statSync(git, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return stat === undefined ? undefined : git;
  const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8")) ?? [];
  if (named === undefined) return undefined;
  const own = isAbsolute(named.trim()) ? named.trim() : join(project, named.trim());
  const common = join(own, "commondir");
  return existsSync(common) ? join(own, readFileSync(common, "utf8").trim()) : own;
}
