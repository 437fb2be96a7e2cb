import { type Desk, usable } from "./desk.ts";
import { planAll } from "./plan.ts";

/** Milliseconds after a change before the notes are looked at: a build writes many files, and none of them may be a note. */
const settling = 3_000;
/** Milliseconds after which they are looked at in any case: not every file system tells of every change. */
const longest = 300_000;
/** Milliseconds for which a note counts as changed just now. */
const justNow = 60_000;

/**
 * Resolves when notes have changed, or did just before it was called. Looks at names and stats when the watch has told of anything,
 * and keeps no process alive. Without a watch never.
 */
export async function changed(desk: Desk): Promise<void> {
  const { watch } = desk;
  if (watch === undefined) return await Promise.withResolvers<void>().promise;
  let next = watch.changed();
  // The watch begins before the first look, so that nothing falls between them.
  await rest(0);
  const before = look(desk);
  for (let now = before; !now.fresh && now.seen === before.seen; now = look(desk)) {
    await Promise.race([next, rest(longest)]);
    await rest(settling);
    next = watch.changed();
  }
}

type Look = {
  /** What was seen, in a word; none where nothing could be. */
  readonly seen: string;
  /** Whether a note that was touched just now waits to be taken in, or one to be dropped. */
  readonly fresh: boolean;
};

function look(desk: Desk): Look {
  try {
    const db = desk.database({ create: false });
    if (db === undefined || !usable(desk, db)) return { seen: "", fresh: false };
    const plans = planAll(db, desk.sources);
    const since = Date.now() - justNow;
    return {
      seen: plans.map(({ seen }) => seen).join(" "),
      // A note that cannot be read waits for ever, and is no change.
      fresh: plans.some(({ touched, gone }) => gone.length > 0 || touched.some(({ stat }) => stat.mtime > since)),
    };
  } catch {
    return { seen: "", fresh: false };
  }
}

const rest = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
