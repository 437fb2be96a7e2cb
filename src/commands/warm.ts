import { version } from "../../package.json";
import { embedded } from "../embedded.ts";
import type { ServiceClient } from "../service/client.ts";
import type { Meeting } from "../service/place.ts";
import type { Identity } from "../service/protocol.ts";
import { startDetached } from "./detached.ts";

/** Where the warm process is met, and who this program is. */
export async function meeting(): Promise<{ readonly meeting: Meeting; readonly me: Identity }> {
  const { identity, meetingAt } = await import("../service/place.ts");
  // From source, the file that was run stands for the program.
  const program = embedded === undefined ? (process.argv[1] ?? process.execPath) : process.execPath;
  return { meeting: meetingAt(), me: identity(version, program) };
}

/** A client of the warm process, which starts it when it is missed. */
export async function warmClient(): Promise<ServiceClient> {
  const [{ connectService }, where] = await Promise.all([import("../service/client.ts"), meeting()]);
  return connectService(where.meeting, where.me, () => startDetached(["serve"]));
}
