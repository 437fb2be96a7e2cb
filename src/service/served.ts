import type { Engine } from "../engine/open.ts";
import { byMeaning } from "../engine/ranking.ts";
import { rest } from "../engine/rest.ts";
import type { ServiceClient } from "./client.ts";
import { patience } from "./patience.ts";
import type { At } from "./protocol.ts";

/**
 * An engine whose questions of meaning the warm process answers, so that no model is loaded here. While that one is
 * not there, words and the stored vectors answer, and a remark says so; where it never will be, this process does it all.
 */
export function served(engine: Engine, at: At, client: ServiceClient): Engine {
  const search = patience();
  const likeness = patience();
  return {
    ...engine,
    async search(query, options) {
      if (!byMeaning(options.mode)) return await engine.search(query, options);
      const { onProgress: _, onWait: _w, ...rest } = options;
      const asked = await search.ask((deadline) => client.ask("search", at, [query, rest], deadline), isLate);
      if (typeof asked === "object") return asked.answer;
      if (asked === "never") return await engine.search(query, options);
      const answer = await engine.search(query, { ...options, mode: "consensus" });
      return { ...answer, remarks: [...answer.remarks, notYet] };
    },
    async likeness(question, texts) {
      const asked = await likeness.ask((deadline) => client.ask("likeness", at, [question, texts], deadline), isLate);
      if (typeof asked === "object") return asked.answer ?? undefined;
      return asked === "never" ? await engine.likeness(question, texts) : undefined;
    },
  };
}

const isLate = (asked: unknown): boolean => asked === "later";

const notYet =
  "answered without the question's meaning: the model is being loaded, or busy; ask again for a better order";

/**
 * Has the warm process look after these notes for as long as this one lives: again when it was killed, and when it had nothing to do
 * and ended, at the next change of a note.
 */
export async function attached(engine: Engine, at: At, client: ServiceClient): Promise<void> {
  let pause = 0;
  while (await attach(at, client)) {
    const began = performance.now();
    const how = await client.lost();
    // A process that dies of these notes dies again.
    pause = performance.now() - began > alive ? 0 : Math.min(longest, Math.max(1_000, 2 * pause));
    if (how === "ended") await engine.changed();
    await rest(pause);
  }
}

/** Milliseconds after which a process is not one that dies at once; and between two starts of one that does. */
const alive = 60_000;
const longest = 600_000;
/** Milliseconds before each try: one starts the process, which nobody does for two seconds after another start, and the next finds it. */
const tries = [0, 1_500, 1_500, 1_500, 5_000, 1_500, 15_000, 1_500, 60_000, 1_500];

/** Now, or when it has been started. False when there is none for this program. */
async function attach(at: At, client: ServiceClient): Promise<boolean> {
  for (const wait of tries) {
    await rest(wait);
    // Notes that cannot be looked after now may be later: somebody else is writing the index, a disk is not mounted.
    const asked = await client.ask("attach", at, [], 60_000).catch(() => "later" as const);
    if (asked !== "later") return asked !== "never";
  }
  return true;
}
