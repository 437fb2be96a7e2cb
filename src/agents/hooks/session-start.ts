import type { RecalledSection } from "../../engine/recall.ts";
import { type Ledger, reset, shownBefore, shownSince } from "../ledger.ts";
import { recordText } from "../record.ts";
import { recordsOf } from "../records.ts";
import { hashOf } from "../state.ts";
import { dayOf } from "./age.ts";
import { addressOf, type Shown } from "./block.ts";
import type { HookContext } from "./context.ts";
import { inject } from "./inject.ts";
import { type HookInput, textOf } from "./input.ts";
import { projectAt, questionsOf } from "./project.ts";
import { leastFit } from "./prompt.ts";
import { nothing, type Reply } from "./reply.ts";

/** Sections of notes, and sessions, that a session is begun with at most. */
const sections = 4;
const sessions = 2;
const reminders = 8;
const howToSearch = "Search the notes with the tool gestalt_search, or in a shell: gestalt search WORDS";

/**
 * What a session should know from its start: the notes that fit the project, and what the last sessions in it left. After a
 * compaction also the addresses of what was shown before. Nothing when there is nothing.
 */
export async function onSessionStart(context: HookContext, ledger: Ledger, input: HookInput): Promise<Reply> {
  const source = textOf(input.fields["source"]);
  const lost = source === "compact" ? [...shownBefore(ledger.entries(), context.now).keys()] : [];
  if (source === "compact" || source === "clear") reset(ledger, source, context.now);
  if (!(await context.notes.catchUp())) context.notes.prepare();
  if (input.cwd === undefined) return nothing;
  const project = projectAt(input.cwd);
  const earlier = recordsOf(context.state, project.root)
    .filter(({ session }) => session !== input.session)
    .slice(0, sessions)
    .map(
      (record): Shown => ({
        id: `session:${record.session}`,
        path: "",
        title: "",
        headings: [],
        start: 0,
        end: 0,
        day: dayOf(new Date(record.at)),
        hash: hashOf(recordText(record)),
        text: recordText(record),
        source: "An earlier session in this project",
      }),
    );
  const fit = await fitting(context, questionsOf(project));
  const again = new Set(fit.map(({ id }) => id));
  const reply = inject(context, ledger, {
    event: "session-start",
    why: source ?? "start",
    sections: [...fit, ...earlier],
    budget: context.settings["hook-start-budget"],
    intro: "From the user's notes, for work in this project.",
    passages: sections + sessions,
    lines: reminder(lost.filter((id) => !again.has(id))),
    outro: howToSearch,
    ...(earlier.length > 0 ? { today: dayOf(context.now) } : {}),
  });
  return input.client === "cursor" ? await asRule(input.cwd, reply, ledger) : reply;
}

/**
 * Where Cursor was set up its context goes into a rule, since it drops what a hook says, or not, by its version. A second
 * start of one session, for which there is nothing new, leaves the rule as it is.
 */
async function asRule(project: string, reply: Reply, ledger: Ledger): Promise<Reply> {
  const { isSetUp, putContextRule } = await import("../cursor/context.ts");
  if (!isSetUp(project)) return reply;
  if (reply.kind === "context") putContextRule(project, reply.text);
  else if (shownSince(ledger.entries()).size === 0) putContextRule(project, "");
  return nothing;
}

/** A session that is to be silent is not told of an earlier one by the rule either. */
export async function onSilentStart({ client, cwd }: HookInput): Promise<void> {
  if (client === "cursor" && cwd !== undefined) (await import("../cursor/context.ts")).putContextRule(cwd, "");
}

/** The sections that answer one of the questions, best fit first, each once. */
async function fitting(context: HookContext, questions: readonly string[]): Promise<readonly RecalledSection[]> {
  const found = new Map<string, RecalledSection>();
  for (const question of questions) {
    const answer = await context.notes.recall(question, sections);
    for (const section of answer?.served ? answer.sections : [])
      if (section.fit >= leastFit && !found.has(section.id)) found.set(section.id, section);
  }
  return [...found.values()].sort((a, b) => b.fit - a.fit).slice(0, sections);
}

const reminder = (ids: readonly string[]): readonly string[] => {
  const addresses = ids.filter((id) => /#|:\d+-\d+$/.test(id)).slice(-reminders);
  return addresses.length === 0
    ? []
    : [
        `\nRecalled before the compaction (open again with gestalt_read):\n${addresses.map((id) => `- ${addressOf(id)}`).join("\n")}`,
      ];
};
