import { foreign, isDrawn, isMixed, masked, reference } from "./secret-looks.ts";

/** What a browser sends and a server sets. */
const cookies = /\b(?:set-)?cookie["'`]?\s*:[^\n]*/gi;
/** Names of fields and columns that hold a password, or another secret. */
const passwords = `password|passwd|passwort|passphrase|passcode|pwd|pw|${foreign}`;
const others =
  "(?:client[\\s_-]?|api[\\s_-]?)?secret(?:[\\s_-]?key)?|(?:api|access|secret|private)[\\s_-]?key|(?:(?:api|access|auth|refresh|bearer)[\\s_-]?)?token";
const element = new RegExp(
  `(<(?:\\w+:)?(?:${passwords}|${others})(?:\\s[^<>]{0,200})?>\\s*)([^<\\s]{4,})(?=\\s*</)`,
  "giu",
);
const passwordTag = new RegExp(`^<(?:\\w+:)?(?:${passwords})`, "iu");
/** A table, also in a quote: its head, the line below that, and its rows. */
const table = /^([^\n|]*\|[^\n]*\n)((?=[^\n]*-)[> \t:|-]+\n)((?:[^\n]*\|[^\n]*(?:\n|$))+)/gm;
const title = (of: string): RegExp =>
  new RegExp(
    `^\\W*(?:(?:admin|root|db|database|user|login|initial|default|old|new|current|master)[\\s_-]+)*(?:${of})\\W*(?:\\([^)]*\\))?\\W*$`,
    "iu",
  );
const [passwordTitle, otherTitle] = [title(passwords), title(others)];
/** What a table says of passwords without giving one. */
const stated =
  /^(?:required|optional|forbidden|allowed|supported|unsupported|partial|string|text|hidden|masked|never|always|none|same|empty|blank|unset|changed|expired|enabled|disabled|https?:.*|\d{4}-\d\d-\d\d.*)$/i;

/** A text without the values of fields whose name says that they are secret: elements of XML, columns of tables, cookies. */
export function fieldsMasked(text: string): string {
  return text
    .replace(table, (_, head: string, line: string, rows: string) => head + line + columnsMasked(head, rows))
    .replace(cookies, (line) =>
      line.replace(/(=)([^\s"'`;,]{16,})/g, (found, before: string, value: string) =>
        isDrawn(value) ? before + masked : found,
      ),
    )
    .replace(element, (found, before: string, value: string) =>
      !reference.test(value) && (passwordTag.test(before) ? !stated.test(value) : isMixed(value))
        ? before + masked
        : found,
    );
}

/** The rows of a table without what stands under a name for what is secret. */
function columnsMasked(head: string, rows: string): string {
  const titles = partsOf(head).cells;
  if (!titles.some((cell) => passwordTitle.test(cell) || otherTitle.test(cell))) return rows;
  const masking = (cell: string, column: number): string => {
    const [, value = ""] = /^\s*`?([^\s`]{4,})`?(?:\s+\([^)]*\))?\s*$/.exec(cell) ?? [];
    if (value === "" || reference.test(value)) return cell;
    const isSecret = passwordTitle.test(titles[column] ?? "")
      ? !stated.test(value)
      : otherTitle.test(titles[column] ?? "") && isDrawn(value);
    return isSecret ? cell.replace(value, () => masked) : cell;
  };
  return rows.replace(/[^\n]+/g, (row) => {
    const { before, cells, after } = partsOf(row);
    return before + cells.map(masking).join("|") + after;
  });
}

/** A row between its outer bars, which each row may have or not. */
function partsOf(row: string): { readonly before: string; readonly cells: readonly string[]; readonly after: string } {
  const before = /^[>\s]*\|?/.exec(row)?.[0] ?? "";
  const rest = row.slice(before.length);
  const end = rest.trimEnd();
  const inner = end.endsWith("|") && !end.endsWith("\\|") ? end.slice(0, -1) : end;
  return { before, cells: inner.split(/(?<!\\)\|/), after: rest.slice(inner.length) };
}
