import { minuteOf } from "../agents/hooks/age.ts";
import { forgetLog } from "../agents/ledger.ts";
import { recordText, type SessionRecord } from "../agents/record.ts";
import { forgetRecord, recordsOf } from "../agents/records.ts";
import { GestaltError } from "../errors.ts";
import { command, group } from "./command.ts";
import { printable } from "./failure.ts";
import { hookState } from "./hook/state.ts";

const json = { kind: "boolean", description: "one JSON object" } as const;
const name = { kind: "positional", required: true, description: "a session, or how its name begins" } as const;

const list = command({
  name: "list",
  description: "the sessions that left something behind, newest first",
  args: { json },
  async run({ args }) {
    const records = recordsOf(hookState());
    if (args.json) console.log(JSON.stringify({ sessions: records }));
    else
      for (const { session, at, project, asked } of records)
        console.log(printable(`${session}  ${minuteOf(new Date(at))}  ${project}  ${asked[0] ?? ""}`));
  },
});

const show = command({
  name: "show",
  description: "what a session left behind",
  args: { session: name, json },
  async run({ args }) {
    const record = only(args.session);
    console.log(args.json ? JSON.stringify(record) : recordText(record).split("\n").map(printable).join("\n"));
  },
});

const forget = command({
  name: "forget",
  description: "remove what a session left behind, and the log of what it was shown",
  args: { session: name },
  async run({ args }) {
    const { session } = only(args.session);
    forgetRecord(hookState(), session);
    forgetLog(hookState(), session);
    console.log(printable(`forgot ${session}`));
  },
});

export default group({
  name: "sessions",
  description: "What agents' sessions left behind for the next ones",
  commands: {
    list: async () => ({ default: list }),
    show: async () => ({ default: show }),
    forget: async () => ({ default: forget }),
  },
});

/** The one session whose name begins so. */
function only(name: string): SessionRecord {
  const records = recordsOf(hookState());
  const found = records.filter(({ session }) => session.startsWith(name));
  const exact = found.find(({ session }) => session === name) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  const what = found.length === 0 ? `no session is called "${name}"` : `"${name}" begins ${found.length} sessions`;
  throw new GestaltError("not-found", what, "gestalt sessions list");
}
