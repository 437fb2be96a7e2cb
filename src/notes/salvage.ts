import type { Field } from "./frontmatter-fast.ts";

/**
 * What can be told from YAML that does not parse: plain `key: value`, `key: [a, b]` and `- item` lines, quotes taken off.
 * The first of two equal keys wins.
 */
export function salvage(lines: readonly string[]): Field[] {
  const fields: Field[] = [];
  const keys = new Set<string>();
  let listKey: string | undefined;
  for (const line of lines) {
    const item = /^\s*- +(\S.*)$/.exec(line)?.[1];
    if (item !== undefined && listKey !== undefined) {
      fields.push({ key: listKey, value: unquoted(item), listed: true });
      continue;
    }
    const [, key, text = ""] = /^([\p{L}_][\p{L}\p{N}_.-]{0,60})[ \t]*:(?:[ \t]+(.*))?$/u.exec(line) ?? [];
    if (key === undefined) continue;
    const value = text.trim();
    listKey = value === "" && !keys.has(key) ? key : undefined;
    if (!keys.has(key)) fields.push(...valuesOf(key, value));
    keys.add(key);
  }
  return fields;
}

function valuesOf(key: string, value: string): Field[] {
  if (value === "" || /^[|>][+-]?$/.test(value)) return [];
  const inside = /^\[([^\]]*)\]?$/.exec(value)?.[1];
  if (inside === undefined) return [{ key, value: unquoted(value), listed: false }];
  const items = inside.split(",").map((item) => unquoted(item));
  return items.filter((item) => item !== "").map((item) => ({ key, value: item, listed: true }));
}

/** Without one pair of quotes around it, or a lone one before it. */
function unquoted(text: string): string {
  const value = text.trim();
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  return value.length > 1 && value.endsWith(quote) ? value.slice(1, -1) : value.slice(1);
}
