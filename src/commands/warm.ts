import { existsSync } from "node:fs";
import { version } from "../../package.json";
import { embedded } from "../embedded.ts";
import { byMeaning } from "../engine/ranking.ts";
import type { Answer, SearchOptions } from "../engine/search.ts";
import type { ServiceClient } from "../service/client.ts";
import type { Meeting } from "../service/place.ts";
import type { At, Identity } from "../service/protocol.ts";
import { startDetached } from "./detached.ts";

/** Where the warm process is met, and who this program is. */
export async function meeting(): Promise<{ readonly meeting: Meeting; readonly me: Identity }> {
  const { identity, meetingAt } = await import("../service/place.ts");
  // From source, the file that was run stands for the program.
  const program = embedded === undefined ? (process.argv[1] ?? process.execPath) : process.execPath;
  return { meeting: meetingAt(), me: identity(version, program) };
}

/**
 * A client of the warm process, which starts it when it is missed.
 *
 * @param folder whose notes a process that is started looks after from its start, for a client that may not live to ask it to
 */
export async function warmClient(folder?: string): Promise<ServiceClient> {
  const [{ connectService }, where] = await Promise.all([import("../service/client.ts"), meeting()]);
  const start = () => (folder === undefined ? startDetached(["serve"]) : startDetached(["serve", "--here"], folder));
  return connectService(where.meeting, where.me, start);
}

/** Milliseconds that a command line waits for the warm process, which needs a twentieth of that. */
const patience = 1_000;

/**
 * What the warm process answers, when it runs and can use the model that it holds; undefined where the answer is better made
 * here. A command line starts no warm process: nobody may ask a second time.
 */
export async function warmAnswer(at: At, query: string, options: SearchOptions): Promise<Answer | undefined> {
  if (!byMeaning(options.mode)) return undefined;
  const where = await meeting();
  // Whoever takes in notes for the first time shows how far it is.
  if (!existsSync(where.meeting.socket) || !existsSync(at.place.db)) return undefined;
  const { connectService } = await import("../service/client.ts");
  const client = connectService(where.meeting, where.me);
  try {
    const asked = await client.ask("search", at, [query, options], patience);
    return typeof asked === "object" ? asked.answer : undefined;
  } finally {
    client.close();
  }
}
