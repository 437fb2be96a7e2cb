import { GestaltError } from "../errors.ts";
import type { Conversation, Question, Session } from "./conversations.ts";
import { type Fields, isFields, objectsOf, readObjects, textOf, textsOf } from "./json.ts";

/** LoCoMo's questions whose answer is not in the conversation, however much it looks so. */
const ADVERSARIAL = 5;

/**
 * Reads `locomo10.json`. Ids are `conv-26:S1` for a session, `conv-26:D1:3` for a turn, `conv-26:q0` for a question.
 * Captions of images are left out.
 *
 * The evidence is dirty: several ids in one text, a colon too many, ids of no turn. Whatever reads as an id is taken,
 * and what names no turn is dropped.
 *
 * @throws GestaltError("bad-dataset") when the file cannot be read or is of another shape
 * @see Maharana et al., ACL 2024, arXiv:2402.17753
 */
export function readLocomo(file: string): readonly Conversation[] {
  return readObjects(file).map((sample, i) => {
    const id = textOf(sample["sample_id"]);
    const talk = sample["conversation"];
    const sessions = isFields(talk) ? sessionsOf(id, talk) : [];
    if (id === "" || sessions.length === 0)
      throw new GestaltError("bad-dataset", `${file}: sample ${i + 1} holds no conversation`, "fetch the data again");
    const sessionOf = new Map(sessions.flatMap((session) => session.turns.map((turn) => [turn.id, session.id])));
    const questions = objectsOf(sample["qa"]).map((item, n) => question(id, n, item, sessionOf));
    return { id, sessions, questions };
  });
}

function sessionsOf(sample: string, talk: Fields): readonly Session[] {
  return Object.keys(talk)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map((n) => ({
      id: `${sample}:S${n}`,
      date: textOf(talk[`session_${n}_date_time`]),
      turns: objectsOf(talk[`session_${n}`]).map((turn) => ({
        id: `${sample}:${textOf(turn["dia_id"])}`,
        speaker: textOf(turn["speaker"]),
        text: textOf(turn["text"]),
      })),
    }));
}

function question(sample: string, n: number, item: Fields, sessionOf: ReadonlyMap<string, string>): Question {
  const turns = textsOf(item["evidence"])
    .flatMap((text) => [...text.matchAll(/D:?(\d+):(\d+)/g)])
    .map(([, session, turn]) => `${sample}:D${Number(session)}:${Number(turn)}`)
    .filter((id) => sessionOf.has(id));
  return {
    id: `${sample}:q${n}`,
    text: textOf(item["question"]),
    kind: String(item["category"]),
    unanswerable: item["category"] === ADVERSARIAL,
    turns: [...new Set(turns)],
    sessions: [...new Set(turns.flatMap((id) => sessionOf.get(id) ?? []))],
  };
}
