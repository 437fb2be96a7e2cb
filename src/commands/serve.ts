import { resolve } from "node:path";
import type { At, ServiceStatus } from "../service/protocol.ts";
import { command } from "./command.ts";
import { startDetached } from "./detached.ts";
import { notice, printable } from "./failure.ts";
import { meeting, warmClient } from "./warm.ts";

export default command({
  name: "serve",
  description: "Hold the model for all your agents and hooks (started when it is needed; nothing to manage)",
  args: {
    status: { kind: "boolean", description: "say whether one is running, and what it does" },
    stop: { kind: "boolean", description: "end the one that is running" },
    here: { kind: "boolean", description: "look after the notes of this folder from the start" },
    json: { kind: "boolean", description: "the status as one JSON object" },
  },
  knobs: ["model-idle-s", "gpu-duty"],
  async run({ args, settings }) {
    if (args.status || args.stop) return await speak(args.stop, args.json);
    const first = args.here ? await notesHere() : undefined;
    const [{ serve }, where] = await Promise.all([import("../service/server.ts"), meeting()]);
    // It serves many folders, and holds none of them.
    process.chdir(resolve("/"));
    const how = await serve({ ...where, first, idle: settings["model-idle-s"], duty: settings["gpu-duty"] });
    if (how === "elsewhere") notice("one is running already: gestalt serve --status");
    if (how === "heavy") startDetached(["serve"]);
    return 0;
  },
});

/** As a client in this folder would name them; undefined where there are none. */
async function notesHere(): Promise<At | undefined> {
  const { findNotes } = await import("./find-notes.ts");
  const found = await findNotes({}).catch(() => undefined);
  return found && { place: found.place, settings: found.settings };
}

async function speak(stop: boolean, json: boolean): Promise<number> {
  const client = await warmClient();
  try {
    const status = await (stop ? client.stop() : client.status());
    const other = status === undefined && (await isAnothers());
    if (json) console.log(JSON.stringify(status ?? null));
    else if (status !== undefined) console.log(printable(`${stop ? "ended: " : ""}${shown(status)}`));
    else console.log(other ? "one of another gestalt is running: ask with that program" : "not running");
    return status === undefined && (other || !stop) ? 1 : 0;
  } finally {
    client.close();
  }
}

/** Whether one is running that does not speak to this program. */
async function isAnothers(): Promise<boolean> {
  const [{ whoServes }, where] = await Promise.all([import("../service/client.ts"), meeting()]);
  return (await whoServes(where.meeting, where.me)) === "stranger";
}

const shown = ({
  pid,
  version,
  uptime,
  bytes,
  model,
  clients,
  waiting,
  answered,
  embedded,
  vaults,
}: ServiceStatus): string =>
  `process ${pid}, version ${version}, ${Math.round(uptime / 1000)} s, ${Math.round(bytes / 1e6)} MB, ` +
  `model ${model ? "loaded" : "not loaded"}, ${clients} clients, ${waiting} waiting, ${answered} answered, ` +
  `${embedded} texts embedded; ${vaults.join(", ") || "no notes yet"}`;
