import { type Desk, usable } from "./desk.ts";
import { planAll, waiting } from "./plan.ts";
import { rest } from "./rest.ts";

/** Milliseconds after a change before the notes are looked at: a build writes many files, and none of them may be a note. */
const settling = 3_000;
/** Milliseconds after which they are looked at in any case: not every file system tells of every change. */
const longest = 300_000;

/**
 * Waits for a change of notes, also one before it was asked that nobody has taken in. Looks at names and stats when the watch has told
 * of anything, and keeps no process alive. Without a watch it waits for ever.
 */
export function openChanges(desk: Desk): () => Promise<void> {
  const { watch } = desk;
  /** What was seen when it last told: a note that cannot be read waits for ever, and is told of once. */
  let told: string | undefined;
  return async () => {
    if (watch === undefined) return await Promise.withResolvers<void>().promise;
    let next = watch.changed();
    // The watch begins before the first look, so that nothing falls between them.
    await rest(0);
    for (let before: string | undefined; ; next = watch.changed()) {
      const now = look(desk);
      if (now !== undefined && (before === undefined ? now.waits && now.seen !== told : now.seen !== before)) {
        told = now.seen;
        return;
      }
      before ??= now?.seen;
      await Promise.race([next, rest(longest)]);
      await rest(settling);
    }
  };
}

/** All notes in a word, and whether any waits to be taken in or dropped; undefined where nobody can tell. */
function look(desk: Desk): { readonly seen: string; readonly waits: boolean } | undefined {
  try {
    const db = desk.database({ create: false });
    if (db === undefined || !usable(desk, db)) return undefined;
    const plans = planAll(db, desk.sources);
    return { seen: plans.map(({ seen }) => seen).join(" "), waits: waiting(plans) > 0 };
  } catch {
    return undefined;
  }
}
