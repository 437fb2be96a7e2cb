import { parse, stringify } from "yaml";

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/;

/** The front matter of a rule or skill as a mapping; empty when there is none, or it is none that YAML knows. */
export function headOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const head: unknown = parse(frontMatter.exec(text)?.[1] ?? "", { maxAliasCount: 0 });
    return typeof head === "object" && head !== null && !Array.isArray(head) ? { ...head } : {};
  } catch {
    return {};
  }
}

/** A text without its front matter. */
export const withoutHead = (text: string): string => text.replace(frontMatter, "").replace(/^(\r?\n)+/, "");

/**
 * A rule as Cursor reads it (`.mdc`): `paths` becomes `globs`, and a rule without paths is always applied. The description
 * is the rule's own, else its first line of prose, 200 characters at most.
 */
export function cursorRule(name: string, text: string): string {
  const { description, paths } = headOf(text);
  const globs = (Array.isArray(paths) ? paths : paths === undefined ? [] : [paths]).map(String);
  const body = withoutHead(text);
  const head = stringify(
    {
      description: (typeof description === "string" ? description : firstProse(body, name)).slice(0, 200),
      globs: globs.join(","),
      alwaysApply: globs.length === 0,
    },
    { lineWidth: 0 },
  );
  // Cursor reads an empty `globs:`; a quoted empty string it shows as a glob.
  return `---\n${head.replace(/^globs: ""$/m, "globs:")}---\n\n${rewritten(body)}`;
}

const firstProse = (body: string, name: string): string =>
  body
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !/^(#|[-*|>]|```|<!--)/.test(line)) ?? name;

/**
 * Paths in a text as Cursor has them: `.claude/rules/x.md` → `.cursor/rules/x.mdc`, any other `.claude/` → `.cursor/`. A path
 * in the user's home (`~/.claude/`, `$HOME/.claude/`) stays, since nothing is copied from there.
 */
export const rewritten = (text: string): string =>
  text
    .replace(/(?<!~\/|HOME\}?\/)\.claude\/rules\/([\w./-]+?)\.md\b/g, ".cursor/rules/$1.mdc")
    .replace(/(?<!~\/|HOME\}?\/)\.claude\//g, ".cursor/");
