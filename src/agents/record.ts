import { isAbsolute, relative } from "node:path";
import { clean, cleanLine } from "./clean.ts";
import { dayOf } from "./hooks/age.ts";
import type { Turn } from "./transcript.ts";

/** What a session leaves behind: words of the user and the agent, chosen by rules, none added. */
export type SessionRecord = {
  readonly session: string;
  /** The project's folder, and its branch when there is one. */
  readonly project: string;
  readonly branch: string | undefined;
  /** ISO 8601: when the record was last written. */
  readonly at: string;
  readonly asked: readonly string[];
  /** Relative to the project where they lie in it. */
  readonly changed: readonly string[];
  readonly decided: readonly string[];
  readonly open: readonly string[];
};

/** Characters of all texts of a record together. */
export const mostOfRecord = 2000;
const most = { asked: 5, changed: 15, decided: 6, open: 5 };
const longest = 240;
/** Characters of one turn that are looked at: a log that was pasted says nothing new after them. */
const looked = 20_000;

const decision =
  /\b(?:decided|decision|we(?:'| wi)ll (?:use|keep|go with|stick)|let's (?:use|keep|go with|stick)|going with|went with|chose|chosen|settled on|agreed|instead of|rather than|from now on|root cause|turned out|the (?:fix|reason|cause) (?:is|was)|must (?:not|never|always)|should (?:never|always)|don't (?:use|add|touch))\b|\b(?:entschieden|beschlossen|statt(?:dessen)?|ab jetzt)\b|(?:решили|вместо|décidé|décidons|decidido|decidimos|决定|改用|決定)/iu;
const openPoint =
  /\b(?:todo|to do|fixme|still (?:open|missing|fails?|failing|needs?|to be)|not (?:yet|done|finished|implemented|fixed)|remains?(?: to)?|remaining|left to do|next (?:step|up|time)|follow[- ]?up|later|pending|blocked|open (?:point|question|issue)s?|unresolved|unclear|needs? (?:a )?(?:decision|review))\b|\b(?:noch (?:offen|nicht)|nächste[rs]? schritt)\b|(?:осталось|следующий шаг|reste à|à faire|pendiente|falta|待办|尚未|未完成|残り)/iu;

/**
 * Makes the record of a session without a model: the user's requests (the first, and the last ones), the files that tools
 * wrote, and the sentences that tell of decisions and of open points. Of decisions the latest are kept, of open points
 * those of the last two answers, since earlier ones may be done. At most 2,000 characters, secrets removed.
 *
 * @returns undefined when nothing was asked
 */
export function recordOf(
  turns: readonly Turn[],
  about: Pick<SessionRecord, "session" | "project" | "branch" | "at">,
): SessionRecord | undefined {
  const requests = turns.flatMap((turn) => (turn.kind === "user" && isRequest(turn.text) ? firstOf(turn.text) : []));
  const [first, ...others] = distinct(requests);
  if (first === undefined) return undefined;
  const changed = turns.flatMap((turn) => (turn.kind === "changed" ? inside(about.project, turn.path) : []));
  const talk = turns.flatMap((turn) =>
    turn.kind === "user" || turn.kind === "assistant" ? sentencesOf(turn.text, decision) : [],
  );
  const answers = turns.flatMap((turn) => (turn.kind === "assistant" ? [turn.text] : [])).slice(-2);
  return fitted({
    ...about,
    asked: [first, ...others.slice(1 - most.asked)],
    changed: distinct(changed.toReversed()).slice(0, most.changed),
    decided: distinct(talk.filter((text) => !/\?$/.test(text))).slice(-most.decided),
    open: distinct(answers.flatMap((text) => sentencesOf(text, openPoint))).slice(-most.open),
  });
}

/** `yes, go on` says nothing to the next session, nor does that a request was stopped. */
const isRequest = (text: string): boolean => text.length >= 20 && !/^(?:[/!]|\[Request interrupted)/.test(text);

/** The first sentences of a request, cleaned. */
const firstOf = (text: string): string => cleanLine(text.slice(0, looked).split(/\n\s*\n/)[0] ?? "", longest);

/**
 * The sentences of prose that tell of something: no code, no tables, no headings; marks of emphasis and lists taken off. Cleaning is
 * dear, so only those that tell are cleaned, and then asked again.
 */
function sentencesOf(text: string, telling: RegExp): string[] {
  const prose = text
    .slice(0, looked)
    .replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, "")
    .split("\n");
  return prose
    .filter((line) => /\S/.test(line) && !/^\s*(?:\||#{1,6} |>|\t| {4})/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s*)?/, "").replace(/[*_]{2}/g, ""))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s+|(?<=[。！？])/))
    .filter((line) => telling.test(line))
    .map((line) => cleanLine(line, longest))
    .filter((line) => telling.test(line))
    .filter((line) => line.length >= 15 || /[\p{Script=Han}]{6}/u.test(line));
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== "");

function inside(project: string, path: string): string {
  const within = isAbsolute(path) ? relative(project, path) : path;
  return cleanLine(within.startsWith("..") ? path : within, 120);
}

/** Drops from the longest list, its oldest first but never the first request, until all fits. */
function fitted(record: SessionRecord): SessionRecord {
  const lists = {
    asked: [...record.asked],
    changed: [...record.changed],
    decided: [...record.decided],
    open: [...record.open],
  };
  const sizeOf = (list: readonly string[]) => list.reduce((sum, text) => sum + text.length + 3, 0);
  const all = Object.values(lists);
  while (all.reduce((sum, list) => sum + sizeOf(list), 0) > mostOfRecord) {
    const longestList = all.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!;
    if (longestList === lists.changed) longestList.pop();
    else longestList.splice(longestList === lists.asked ? 1 : 0, 1);
  }
  return { ...record, ...lists };
}

/** A record as text: for people, and for the agent of the next session. */
export function recordText({ at, branch, asked, changed, decided, open }: SessionRecord): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
  return clean(
    [
      `Session of ${dayOf(new Date(at))}${branch === undefined ? "" : ` on ${branch}`}`,
      ...list("Asked", asked),
      ...(changed.length === 0 ? [] : [`Changed: ${changed.join(", ")}`]),
      ...list("Decided", decided),
      ...list("Open", open),
    ].join("\n"),
  );
}
