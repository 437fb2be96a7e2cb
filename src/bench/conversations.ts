import { hash } from "bun";
import type { NoteSource } from "../notes/source.ts";
import type { Judgements, Qrels } from "./judgements.ts";
import { bare, documentPath, ordinalOf } from "./source.ts";

/** What one speaker says before the other does. Ids are unique over all conversations of a file. */
export type Turn = { readonly id: string; readonly speaker: string; readonly text: string };

/** Turns of one occasion. `date` is as the data has it, for people. */
export type Session = { readonly id: string; readonly date: string; readonly turns: readonly Turn[] };

/** A question about one conversation. `turns` and `sessions` hold the answer; either may be empty. */
export type Question = {
  readonly id: string;
  readonly text: string;
  /** The data's own name of what kind of question it is. */
  readonly kind: string;
  /** Asked to see whether a system makes up an answer. Reported apart. */
  readonly unanswerable: boolean;
  readonly turns: readonly string[];
  readonly sessions: readonly string[];
};

/** What is searched as one, and as one cluster in statistics. */
export type Conversation = {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
};

/** What is indexed, and what an answer is judged by. */
export const levels = {
  session: { unit: "session", target: "session" },
  turn: { unit: "turn", target: "turn" },
  session_from_turns: { unit: "turn", target: "session" },
} as const satisfies Record<string, { readonly unit: "session" | "turn"; readonly target: "session" | "turn" }>;

export type Level = keyof typeof levels;

type Unit = { readonly id: string; readonly session: string; readonly header: string; readonly body: string };

/**
 * The sessions or turns of a conversation, as the reference indexes them: a session is its date and its paragraphs
 * `speaker: text`, a turn is `date — speaker` and its text. Ids never enter the text: in some sets they tell the
 * answer.
 */
function unitsOf({ sessions }: Conversation, level: Level): readonly Unit[] {
  if (levels[level].unit === "session")
    return sessions.map(({ id, date, turns }) => ({
      id,
      session: id,
      header: date,
      body: turns.map(({ speaker, text }) => `${speaker}: ${text}`).join("\n\n"),
    }));
  return sessions.flatMap(({ id, date, turns }) =>
    turns.map((turn) => ({ id: turn.id, session: id, header: `${date} — ${turn.speaker}`, body: turn.text })),
  );
}

/**
 * A conversation as a source of notes, one for each session or turn, in order. Every passage repeats its unit's header.
 *
 * @param split cuts a text into passages; the reference's ceiling of 2,000 characters is without the header
 */
export function conversationSource(
  conversation: Conversation,
  level: Level,
  split: (text: string) => readonly string[],
): NoteSource {
  const units = unitsOf(conversation, level).map((unit) => ({
    ...unit,
    bytes: new TextEncoder().encode(JSON.stringify(unit)),
  }));
  return {
    name: conversation.id,
    root: `${conversation.id}#${levels[level].unit}`,
    sweep: () => ({
      entries: units.map(({ id, bytes }, i) => ({
        path: documentPath(i, id),
        stat: { mtime: 0, size: bytes.length, ino: hash.crc32(bytes) },
      })),
      skipped: [],
    }),
    read: (path) => unitAt(units, path).bytes,
    parse(path) {
      const { header, body } = unitAt(units, path);
      const texts = split(body).map((text) => `${header}\n\n${text}`);
      return bare(path, "", texts);
    },
  };
}

function unitAt<T extends Unit>(units: readonly T[], path: string): T {
  const unit = units[ordinalOf(path)];
  if (unit === undefined) throw new RangeError(`${path} is no part of this conversation`);
  return unit;
}

/** What is judged for each unit that is searched: the unit itself, or the session of a turn. */
export function judgedOf(conversation: Conversation, level: Level): (unit: string) => string | undefined {
  if (levels[level].unit === levels[level].target) return (unit) => unit;
  const sessionOf = new Map(unitsOf(conversation, level).map(({ id, session }) => [id, session]));
  return (unit) => sessionOf.get(unit);
}

/**
 * Turns a ranking of units into one of what is judged at a level, by first appearance: a session is as good as its
 * best turn.
 *
 * @param found ids of sessions or turns, best first; an id may come more than once, with each of its passages
 */
export function fold(found: readonly string[], conversation: Conversation, level: Level): readonly string[] {
  const judged = judgedOf(conversation, level);
  return [...new Set(found.flatMap((id) => judged(id) ?? []))];
}

/**
 * What answers each question at a level; nothing for a question without evidence, which scoring then leaves out and
 * counts.
 */
export const conversationQrels = (conversations: readonly Conversation[], level: Level): Qrels =>
  new Map(
    conversations
      .flatMap(({ questions }) => questions)
      .map((question): [string, Judgements] => [
        question.id,
        new Map((levels[level].target === "turn" ? question.turns : question.sessions).map((id) => [id, 1])),
      ]),
  );
