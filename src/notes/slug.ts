/** The file name without folders and Markdown extension: `a/My note.md` → `My note`. */
export const stem = (path: string): string => withoutExtension(path.slice(path.lastIndexOf("/") + 1));

/**
 * The short name of a note: its file's stem where no other note has it, else the shortest path suffix without extension
 * that no other note ends in (`b/note`), else the whole path (`a.md` beside `a.markdown`). Distinct among `others` and `path`.
 *
 * @param others paths of the vault; those with the same stem are enough, and `path` itself among them does no harm
 */
export function slugOf(path: string, others: readonly string[]): string {
  const own = parts(path);
  const rivals = others.filter((other) => other !== path).map(parts);
  for (let length = 1; length <= own.length; length++) {
    const suffix = own.slice(-length).join("/");
    if (!rivals.some((rival) => rival.slice(-length).join("/") === suffix)) return suffix;
  }
  const whole = own.join("/");
  return rivals.some((rival) => rival.join("/") === whole) ? path : whole;
}

const withoutExtension = (path: string): string => path.replace(/\.(?:md|markdown)$/i, "");

const parts = (path: string): string[] => withoutExtension(path).split("/");
