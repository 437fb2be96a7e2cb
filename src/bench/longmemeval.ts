import { GestaltError } from "../errors.ts";
import type { Conversation, Session } from "./conversations.ts";
import { type Fields, objectsOf, readObjects, textOf, textsOf } from "./json.ts";

/**
 * Reads `longmemeval_s_cleaned.json`: each question is a conversation of its own, since each has its own haystack of
 * sessions. Takes some four times the size of the file in memory.
 *
 * Ids count places in the haystack (`q1:S3`, `q1:S3:T2`, from 0), because the data's own ids of sessions tell which
 * hold the answer. A question whose id ends in `_abs` has no answer.
 *
 * @throws GestaltError("bad-dataset") when the file cannot be read, is of another shape, or a question comes twice
 * @see Wu et al., ICLR 2025, arXiv:2410.10813
 */
export function readLongMemEval(file: string): readonly Conversation[] {
  const conversations = readObjects(file).map((item, i) => {
    const id = textOf(item["question_id"]);
    const sessions = sessionsOf(id, item);
    if (id === "" || sessions.length === 0)
      throw new GestaltError("bad-dataset", `${file}: question ${i + 1} has no haystack`, "fetch the data again");
    return { id, sessions: sessions.map(({ session }) => session), questions: [question(id, item, sessions)] };
  });
  if (new Set(conversations.map(({ id }) => id)).size < conversations.length)
    throw new GestaltError("bad-dataset", `${file} holds a question twice`, "fetch the data again");
  return conversations;
}

type Marked = { readonly session: Session; readonly source: string; readonly answers: readonly string[] };

function sessionsOf(question: string, item: Fields): readonly Marked[] {
  const dates = textsOf(item["haystack_dates"]);
  const sources = textsOf(item["haystack_session_ids"]);
  const haystack = Array.isArray(item["haystack_sessions"]) ? item["haystack_sessions"] : [];
  return haystack.map((said: unknown, i) => {
    const id = `${question}:S${i}`;
    const turns = objectsOf(said).map((turn, j) => ({
      id: `${id}:T${j}`,
      speaker: textOf(turn["role"]),
      text: textOf(turn["content"]),
      answers: turn["has_answer"] === true,
    }));
    return {
      session: { id, date: dates[i] ?? "", turns: turns.map(({ id, speaker, text }) => ({ id, speaker, text })) },
      source: sources[i] ?? "",
      answers: turns.filter((turn) => turn.answers).map((turn) => turn.id),
    };
  });
}

function question(id: string, item: Fields, sessions: readonly Marked[]): Conversation["questions"][number] {
  const answering = new Set(textsOf(item["answer_session_ids"]));
  return {
    id,
    text: textOf(item["question"]),
    kind: textOf(item["question_type"]),
    unanswerable: id.endsWith("_abs"),
    turns: sessions.flatMap(({ answers }) => answers),
    sessions: sessions.filter(({ source }) => answering.has(source)).map(({ session }) => session.id),
  };
}
