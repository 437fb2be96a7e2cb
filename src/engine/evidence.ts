import { fold } from "../store/words.ts";
import type { FoundHit } from "./hits.ts";

/** Why a hit is one, the strongest reason alone. */
export type Evidence = "slug-exact" | "title-exact" | "title-terms" | "anchor-section" | "body";

/** Whether a new note on what was asked would be a second one: it is there, likely there, or nothing is known. */
export type CreateSafety = "exists" | "probable" | "unknown";

/**
 * What speaks for a hit: the question is the note's short name, or a title or heading word for word; all its words stand in
 * title and headings; the passage has an address given by its author; or its text alone.
 */
export function evidenceOf(
  query: string,
  { slug, title, headings, anchors }: Pick<FoundHit, "slug" | "title" | "headings" | "anchors">,
): { readonly evidence: Evidence; readonly createSafety: CreateSafety } {
  const asked = wordsOf(query);
  const same = (name: string) => asked.length > 0 && wordsOf(name).join(" ") === asked.join(" ");
  const above = new Set([title, ...headings].flatMap(wordsOf));
  if (same(slug)) return { evidence: "slug-exact", createSafety: "exists" };
  if ([title, ...headings].some(same)) return { evidence: "title-exact", createSafety: "exists" };
  if (asked.length > 0 && asked.every((word) => above.has(word)))
    return { evidence: "title-terms", createSafety: "probable" };
  return { evidence: anchors.length > 0 ? "anchor-section" : "body", createSafety: "unknown" };
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
