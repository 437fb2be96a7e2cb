import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { GestaltError } from "../errors.ts";
import { type Fields, isFields } from "./json.ts";
import type { Scored } from "./judgements.ts";

/** What a run was made with, part by part. Two runs may be mixed only when all of it is the same. */
export type Fingerprint = Readonly<Record<string, string>>;

/** The answer to one question. `ms` is how long it took; `found` is best first. */
export type Answered = {
  readonly query: string;
  readonly ms: number;
  readonly found: readonly Scored[];
  /** The second reader's own score of the first, where there was one. */
  readonly sure?: number | undefined;
};

/** The answers of a trial on disk, one JSON line each below a line that says what they were made with. */
export type Journal = {
  readonly answered: ReadonlyMap<string, Answered>;
  add(answer: Answered): void;
  /** What the runs noted of themselves, a later one over an earlier one. */
  readonly notes: Fields;
  note(notes: Fields): void;
};

/**
 * Opens a journal, and takes in what a run before has left. A last line that was cut off, by a kill, is dropped.
 *
 * @throws GestaltError("usage") when it was made with something else, naming what differs
 */
export function openJournal(file: string, fingerprint: Fingerprint): Journal {
  const answered = new Map<string, Answered>();
  const notes: Record<string, unknown> = {};
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) {
    const [head, ...rest] = whole(readFileSync(file, "utf8"));
    if (head !== undefined) refuseOther(file, head, fingerprint);
    for (const line of rest) {
      if (isFields(line["notes"])) Object.assign(notes, line["notes"]);
      const answer = toAnswer(line);
      if (answer !== undefined) answered.set(answer.query, answer);
    }
  }
  // Written anew: what is appended must not follow half a line.
  const noted = Object.keys(notes).length > 0 ? [{ notes }] : [];
  const lines = [{ fingerprint }, ...[...answered.values()].map(toLine), ...noted];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return {
    answered,
    notes,
    note(more) {
      Object.assign(notes, more);
      appendFileSync(file, `${JSON.stringify({ notes })}\n`);
    },
    add(answer) {
      answered.set(answer.query, answer);
      appendFileSync(file, `${JSON.stringify(toLine(answer))}\n`);
    },
  };
}

/** The objects of the lines that are JSON and end. */
function whole(text: string): readonly Fields[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map(parsed)
    .filter((line) => line !== undefined);
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function refuseOther(file: string, head: Fields, fingerprint: Fingerprint): void {
  const held = isFields(head["fingerprint"]) ? head["fingerprint"] : {};
  const names = [...new Set([...Object.keys(held), ...Object.keys(fingerprint)])];
  const other = names.filter((name) => held[name] !== fingerprint[name]);
  if (other.length === 0) return;
  throw new GestaltError(
    "usage",
    `${file} holds answers of another run: ${other.join(", ")} differ${other.length === 1 ? "s" : ""}`,
    `remove ${file}, or name another folder with --out`,
  );
}

const toLine = ({ query, ms, found, sure }: Answered) => ({
  query,
  ms,
  found: found.map(({ id, score }) => [id, score]),
  sure,
});

function toAnswer({ query, ms, found, sure }: Fields): Answered | undefined {
  if (typeof query !== "string" || typeof ms !== "number" || !Array.isArray(found)) return undefined;
  const pairs = found.map((pair: unknown) => (Array.isArray(pair) ? pair : []));
  const told = typeof sure === "number" ? { sure } : {};
  return { query, ms, ...told, found: pairs.map(([id, score]) => ({ id: String(id), score: Number(score) })) };
}
