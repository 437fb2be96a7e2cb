import { minuteOf } from "../agents/hooks/age.ts";
import { type Injection, injectionsOf, type Usefulness, usefulness } from "../agents/injections.ts";
import { loggedSessions, openLedger } from "../agents/ledger.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { hookState } from "./hook/state.ts";

export default command({
  name: "injections",
  description: "Show what hooks put before agents: when, why, and how many characters",
  args: {
    report: { kind: "boolean", description: "sums only: how much was put in, and how much of it was made use of" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: ["session"],
  async run({ args, settings }) {
    const state = hookState();
    const sessions = settings.session === undefined ? loggedSessions(state) : [settings.session];
    const logs = sessions
      .map((session) => openLedger(state, session))
      .map(({ session, entries }) => ({ session, entries: entries() }));
    const injections = logs
      .flatMap(({ session, entries }) => injectionsOf(session, entries))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    const sums = usefulness(logs.map(({ entries }) => entries));
    if (args.json) console.log(JSON.stringify(args.report ? sums : { injections }));
    else if (args.report) report(sums);
    else list(injections);
  },
});

function list(injections: readonly Injection[]): void {
  if (injections.length === 0) notice("nothing was put before an agent yet");
  for (const { at, session, event, why, characters, sections, prompt } of injections) {
    const asked = prompt === undefined ? "" : `, prompt ${prompt}`;
    console.log(
      printable(`${minuteOf(new Date(at))}  ${session}  ${event}: ${characters} characters (${why}${asked})`),
    );
    for (const { id, pointer } of sections) console.log(printable(`    ${pointer ? "named " : ""}${id}`));
  }
}

function report({ sessions, injections, characters, sections, used }: Usefulness): void {
  console.log(`${injections} injections in ${sessions} sessions, ${characters} characters`);
  const rate = sections === 0 ? "" : ` (${Math.round((100 * used) / sections)} %)`;
  console.log(`${used} of ${sections} sections were opened or named by the agent afterwards${rate}`);
}
