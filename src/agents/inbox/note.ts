import { stringify } from "yaml";
import { GestaltError } from "../../errors.ts";

/**
 * A note's path from what was typed: relative, with `/`, ending in `.md`.
 *
 * @throws GestaltError "usage" for a path that leads out of the folder, into a hidden one, or is no Markdown
 */
export function notePath(typed: string): string {
  const path = typed.trim().replaceAll("\\", "/").replace(/^\.\//, "");
  const parts = path.split("/");
  const bad =
    path.startsWith("/") || /^[A-Za-z]:/.test(path)
      ? "is not relative to the notes"
      : parts.some((part) => part === "..")
        ? "leads out of the notes"
        : parts.some((part) => part === "" || part.startsWith("."))
          ? "has an empty or hidden part"
          : /\p{Cc}/u.test(path) || path.length > 240
            ? "is no name for a note"
            : !/\.(md|markdown)$/i.test(path)
              ? "does not end in .md"
              : undefined;
  if (bad === undefined) return path;
  throw new GestaltError("usage", `the path "${path.slice(0, 80)}" ${bad}`, "a path like decisions/queue.md");
}

/** A file name for a title: its words in lower case, joined by dashes. */
export function fileNameFor(title: string): string {
  const name = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
    .replace(/-+$/, "");
  if (name === "")
    throw new GestaltError("usage", "the title holds no letter or digit", 'gestalt add "Why the queue uses jitter"');
  return `${name}.md`;
}

/** A well-formed note: front matter with tags and date, the title as its heading, the text. What the text has of it stays. */
export function noteText(title: string, tags: readonly string[], text: string, created: string): string {
  const body = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (/^---\n[\s\S]*?\n---(\n|$)/.test(body)) return closed(body);
  const head = stringify(
    { ...(tags.length > 0 && { tags: [...tags] }), created },
    { lineWidth: 0, flowCollectionPadding: false },
  );
  const heading = /^\s*# \S/.test(body) ? "" : `# ${title.replace(/\s+/g, " ").trim()}\n\n`;
  return closed(`---\n${head}---\n\n${heading}${body.replace(/^\n+/, "")}`);
}

/** With one line break at the end. */
const closed = (text: string): string => `${text.trimEnd()}\n`;
