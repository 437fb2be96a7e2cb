import type { Note, Sensitivity } from "../types.ts";
import type { Field } from "./frontmatter-fast.ts";
import { stem } from "./slug.ts";

/** What front matter says of a note, where it says anything. */
export type Facts = Pick<
  Note,
  "aliases" | "tags" | "created" | "modified" | "sensitivity" | "supersedes" | "supersededBy" | "validUntil" | "excluded" | "fields"
> & { readonly title: string | undefined; readonly problem: string | undefined };

const isSensitivity = (value: string): value is Sensitivity =>
  value === "public" || value === "unpublished" || value === "restricted";

/**
 * Reads the keys that mean something here, in any letter case; all others stay in `fields`, in order, and so does a known
 * key whose value is of no use (a date that is none).
 */
export function factsOf(all: readonly Field[]): Facts {
  const used = new Set<Field>();
  const take = (...keys: readonly string[]): Field[] => {
    const found = all.filter(({ key }) => keys.includes(key.toLowerCase()));
    for (const field of found) used.add(field);
    return found;
  };
  const takeDate = (...keys: readonly string[]): string | undefined => {
    for (const key of keys)
      for (const field of all) {
        const day = key === field.key.toLowerCase() ? dayOf(field.value) : undefined;
        if (day === undefined) continue;
        used.add(field);
        return day;
      }
    return undefined;
  };
  const search = all.find(({ key, value }) => key.toLowerCase() === "search" && value.toLowerCase() === "exclude");
  if (search !== undefined) used.add(search);
  const secrecy = take("sensitivity")[0]?.value;
  const level = secrecy?.toLowerCase() ?? "unpublished";
  return {
    title: take("title")[0]?.value.replace(/\s+/g, " "),
    aliases: distinct(take("aliases", "alias").map(({ value }) => value)),
    tags: distinct(take("tags", "tag").flatMap(tagsIn)),
    created: takeDate("created"),
    modified: takeDate("modified", "updated"),
    sensitivity: isSensitivity(level) ? level : "unpublished",
    supersedes: distinct(take("supersedes").flatMap(namesIn)),
    supersededBy: take("superseded_by").flatMap(namesIn)[0],
    validUntil: takeDate("valid_until"),
    excluded: search !== undefined,
    fields: all.filter((field) => !used.has(field)).map(({ key, value }) => [key, value]),
    problem: isSensitivity(level) ? undefined : `unknown sensitivity "${secrecy}", taken as unpublished`,
  };
}

/** Each once, in order of first appearance. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== "");

/** The day a value begins with, `YYYY-MM-DD`, when the calendar has it. */
function dayOf(value: string): string | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(?!\d)/.exec(value)?.[1];
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

/** A nested tag without empty levels: `proj//área/` is `proj/área`. */
export const tagName = (text: string): string =>
  text
    .split("/")
    .filter((level) => level !== "")
    .join("/");

/** A text holds tags between commas and spaces; an item of a list is one tag. */
function tagsIn({ value, listed }: Field): string[] {
  const names = listed ? [value] : value.split(/[,\s]+/);
  return names.map((name) => tagName(name.trim().replace(/^#+/, "")));
}

/** The notes a value names: `[[a/Note.md#part|alias]]` is `Note`. A text may name several, between commas or brackets. */
function namesIn({ value }: Field): string[] {
  const names = value.includes("[[") ? value.split(/\]\]\s*,?/) : value.split(",");
  return names.map((name) => {
    const target = name.replace(/[[\]"']/g, "").split(/[|#]/)[0] ?? "";
    return stem(target.trim());
  });
}
