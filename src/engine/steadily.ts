import type { Database } from "bun:sqlite";
import { changesOf } from "../store/meta.ts";

/** How often an answer is made again before it is given as it is. */
const most = 3;

/**
 * Answers from one state of the index. It takes several statements, and another process may write between them: what was
 * ranked can be another passage, or none, when it is read. Then the answer is made again. One read transaction would do the
 * same, but this connection may have to write while a model reads the question.
 */
export async function steadily<T>(db: Database, answer: () => Promise<T>): Promise<T> {
  for (let left = most; ; left--) {
    const before = changesOf(db);
    const found = await answer();
    if (left === 0 || changesOf(db) === before) return found;
  }
}
