/** One front-matter value as text. `listed` when it stands in a list: lists give one field per item, under the same key. */
export type Field = { readonly key: string; readonly value: string; readonly listed: boolean };

/**
 * Reads the plain subset of YAML that almost all notes keep to: `key: value`, `key: [a, b]` and `- item` lists, values
 * plain or simply quoted. For whatever it accepts, the `yaml` package reads the same (schema `failsafe`: all text).
 *
 * @param lines the block without its `---` lines
 * @returns undefined for anything else, well-formed or not
 */
export function plainFields(lines: readonly string[]): Field[] | undefined {
  const fields: Field[] = [];
  const keys = new Set<string>();
  let list: { readonly key: string; indent: number } | undefined;
  for (const raw of lines) {
    if (odd.test(raw)) return undefined;
    const line = raw.trimEnd();
    if (line === "" || line.startsWith("#")) continue;
    const item = itemLine.exec(line);
    if (item !== null) {
      const [, spaces = "", text = ""] = item;
      const value = scalar(text, plainValue);
      if (list === undefined || value === undefined || (list.indent >= 0 && list.indent !== spaces.length))
        return undefined;
      list.indent = spaces.length;
      fields.push({ key: list.key, value, listed: true });
      continue;
    }
    const [, key, text = ""] = keyLine.exec(line) ?? [];
    if (key === undefined || keys.has(key)) return undefined;
    keys.add(key);
    list = text === "" ? { key, indent: -1 } : undefined;
    const values = text === "" ? [] : valuesOf(key, text);
    if (values === undefined) return undefined;
    fields.push(...values);
  }
  return fields;
}

// What YAML, or trimming, may treat in a way of its own.
const odd = /[^\P{C}\u200d]|[\u0085\u00a0\u2028\u2029\ufeff]/u;
const keyLine = /^(\p{L}[\p{L}\p{N}_-]{0,60}):(?: +(.*))?$/u;
const itemLine = /^( *)- +(.+)$/;
const plainValue = /^[\p{L}\p{N}_/.(+$][^\n]*$/u;
const plainItem = /^[\p{L}\p{N}_/.(+$][^[\]{},:]*$/u;

function valuesOf(key: string, text: string): Field[] | undefined {
  if (!text.startsWith("[")) {
    const value = scalar(text, plainValue);
    return value === undefined ? undefined : [{ key, value, listed: false }];
  }
  if (!text.endsWith("]")) return undefined;
  const inside = text.slice(1, -1).trim();
  const items = inside === "" ? [] : inside.split(",").map((item) => scalar(item.trim(), plainItem));
  const fields: Field[] = [];
  for (const value of items) {
    if (value === undefined) return undefined;
    fields.push({ key, value, listed: true });
  }
  return fields;
}

function scalar(text: string, plain: RegExp): string | undefined {
  const quoted = /^"([^"\\]*)"$/.exec(text) ?? /^'([^']*)'$/.exec(text);
  if (quoted !== null) return quoted[1]?.trim();
  return plain.test(text) && !text.includes(": ") && !text.includes(" #") && !text.endsWith(":") ? text : undefined;
}
