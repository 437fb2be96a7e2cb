import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { look, write } from "../install/files.ts";

const rulePath = ".cursor/rules/gestalt-context.mdc";

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

function exclude(project: string): void {
  const git = gitFolder(project);
  if (git === undefined) return;
  const { real, text = "" } = look(join(git, "info", "exclude"));
  if (text.split(/\r?\n/).includes(`/${rulePath}`)) return;
  write(real, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}/${rulePath}\n`);
}

/** The folder of the repository that a project is the top of; for a worktree that which all its trees share. */
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
