import { GestaltError } from "../errors.ts";
import { frontMatter } from "../notes/frontmatter.ts";
import { decode, linesOf } from "../notes/text.ts";
import { bestFirst } from "../rank/ranking.ts";
import { rrf } from "../rank/rrf.ts";
import { routeByWords } from "../store/skills.ts";

/** A skill as it lies on disk. `name` is its folder's, with its plugin's before it: `plugin:skill`. */
export type SkillFile = {
  readonly name: string;
  readonly path: string;
  readonly origin: "project" | "user" | "plugin";
  readonly bytes: Uint8Array;
};

/** A skill that may fit. `score` is comparable only within one answer. */
export type SkillHit = Omit<SkillFile, "bytes"> & {
  readonly description: string;
  readonly lines: number;
  readonly score: number;
};

/** Tells how near a question is to each of some texts; undefined where there is no model. */
export type Likeness = (question: string, texts: readonly string[]) => Promise<readonly number[] | undefined>;

export type Routed = { readonly skills: readonly SkillHit[]; readonly mode: "lexical" | "hybrid" };

/**
 * The skills that fit a request best: by what they say they are for, by their text, and by the nearness of name and
 * description, fused by rank. A weak hint: the reference measured 28 of 40 right at the first place by words, and 27 with
 * meaning, but 34 instead of 31 among the first three.
 */
export async function route(
  files: readonly SkillFile[],
  request: string,
  limit: number,
  likeness?: Likeness,
): Promise<Routed> {
  const skills = files.map(({ bytes, ...file }) => ({ ...file, ...described(bytes) }));
  const texts = skills.map(({ name, description, body }) => ({ name: name.replace(/[-_:]/g, " "), description, body }));
  const { byDescription, byBody } = routeByWords(texts, request);
  const isAsked = skills.length > 0 && /[\p{L}\p{N}]/u.test(request);
  const purposes = texts.map(({ name, description }) => `${name} — ${description}`);
  const near = isAsked && likeness !== undefined ? await orNothing(likeness(request, purposes)) : undefined;
  const byMeaning = bestFirst(new Map(near?.entries()));
  const found = rrf([byDescription, byBody, byMeaning])
    .slice(0, limit)
    .flatMap(({ id, score }) => {
      const skill = skills[id];
      if (skill === undefined) return [];
      const { body: _, ...shown } = skill;
      return { ...shown, score: Number(score.toPrecision(4)) };
    });
  return { skills: found, mode: near === undefined ? "lexical" : "hybrid" };
}

/** Where there are no notes, or no index that can be read, words answer. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GestaltError && error.code !== "usage") return undefined;
    throw error;
  }
}

function described(bytes: Uint8Array): { readonly description: string; readonly body: string; readonly lines: number } {
  const lines = linesOf(decode(bytes).text);
  const front = frontMatter(lines);
  const description = front.fields.find(({ key }) => key.toLowerCase() === "description")?.value ?? "";
  return {
    description: description.replace(/\s+/g, " ").trim(),
    body: lines.slice(front.lines).join("\n"),
    lines: lines.length,
  };
}
