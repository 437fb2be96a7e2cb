import type { Note, Sensitivity } from "../types.ts";
import type { Field } from "./frontmatter-fast.ts";
import { stem } from "./slug.ts";

/** What front matter says of a note, where it says anything. */
export type Facts = Pick<
  Note,
  | "aliases"
  | "tags"
  | "created"
  | "modified"
  | "sensitivity"
  | "supersedes"
  | "supersededBy"
  | "validUntil"
  | "excluded"
  | "fields"
> & { readonly title: string | undefined; readonly problem: string | undefined };

const isSensitivity = (value: string): value is Sensitivity =>
  value === "public" || value === "unpublished" || value === "restricted";

/**
 * Reads the keys that mean something here, in any letter case; all others stay in `fields`, in order, and so does a known
 * key whose value is of no use (a date that is none).
 */
export function factsOf(all: readonly Field[]): Facts {
  const byKey = Map.groupBy(all, ({ key }) => key.toLowerCase());
  const used = new Set<Field>();
  const take = (...keys: readonly string[]): Field[] => {
    const found = keys.flatMap((key) => byKey.get(key) ?? []);
    for (const field of found) used.add(field);
    return found;
  };
  const takeDate = (...keys: readonly string[]): string | undefined => {
    const field = keys.flatMap((key) => byKey.get(key) ?? []).find(({ value }) => dayOf(value) !== undefined);
    if (field === undefined) return undefined;
    used.add(field);
    return dayOf(field.value);
  };
  const exclude = byKey.get("search")?.find(({ value }) => value.toLowerCase() === "exclude");
  if (exclude !== undefined) used.add(exclude);
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
    supersededBy: distinct(take("superseded_by").flatMap(namesIn))[0],
    validUntil: takeDate("valid_until"),
    excluded: exclude !== undefined,
    fields: all.filter((field) => !used.has(field)).map(({ key, value }) => [key, value]),
    problem: isSensitivity(level) ? undefined : `unknown sensitivity "${secrecy}", taken as unpublished`,
  };
}

/** Each once, in order of first appearance. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== "");

/** The day a value begins with, `YYYY-MM-DD`, when the calendar has it. */
function dayOf(value: string): string | undefined {
  const [day, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(value) ?? [];
  // Day 0 of the next month is the last of this one.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= last ? day : undefined;
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
