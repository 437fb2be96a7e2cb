import { GestaltError } from "../errors.ts";
import { agreed, files, nothingWritten, showPlan } from "./carry-out.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { clientsNamed, siteOf } from "./site.ts";

export default command({
  name: "install",
  description: "Set up Claude Code, Cursor, Codex, Gemini CLI or VS Code to use your notes",
  args: {
    clients: {
      kind: "positional",
      many: true,
      description: "claude, cursor, codex, gemini, vscode; without one, those that are in use here",
    },
    project: { kind: "boolean", description: "into the project in this folder (so it is unless --user)" },
    user: { kind: "boolean", description: "into your own settings, for every project" },
    guard: { kind: "boolean", description: "also ask before commands that cannot be undone (gestalt hook guard)" },
    audit: {
      kind: "boolean",
      description:
        "also call gestalt hook audit, which writes only what the settings audit-log and edit-backup turn on",
    },
    yes: { kind: "boolean", description: "write without asking" },
  },
  async run({ args }) {
    const { planInstall } = await import("../agents/install/plan.ts");
    const { apply } = await import("../agents/install/apply.ts");
    const { doubles, inUse } = await import("../agents/install/survey.ts");
    const { explanation } = await import("../agents/install/explain.ts");
    const { clients } = await import("../agents/install/clients.ts");
    const { stateDir } = await import("../settings.ts");
    const site = siteOf(args);
    const state = stateDir();
    const named = clientsNamed(args.clients);
    const wanted = named.length > 0 ? named : inUse(site);
    if (wanted.length === 0) {
      notice("found no client here or in your home folder");
      console.error("  try: gestalt install claude");
      return 1;
    }
    const scoped = site.scope === "user" ? " --user" : "";
    let failed = 0;
    for (const client of wanted) {
      const plan = planInstall(client, site, state);
      const title = clients[client].title;
      for (const warning of doubles(client, site, state)) notice(warning);
      if (plan.changes.length === 0) {
        await showPlan(plan);
        if (plan.problems.length === 0) console.log(`${title}: everything is there already`);
        failed += plan.problems.length;
        continue;
      }
      for (const line of explanation(plan)) console.log(printable(line));
      console.log("");
      await showPlan(plan);
      if (!args.yes && !agreed(`Write this for ${title}?`)) return nothingWritten(`gestalt install ${client}${scoped}`);
      apply(plan, state);
      failed += plan.problems.length;
      console.log(
        `${title}: ${files(plan.changes.length)} written; gestalt uninstall ${client}${scoped} takes it all back`,
      );
      console.log(`${title}: needs ${clients[client].needs}; restart it`);
    }
    await sayWhereNotesAre();
    return failed > 0 ? 1 : 0;
  },
});

/** An agent without notes is set up in vain: what is found from here, or what to do. */
async function sayWhereNotesAre(): Promise<void> {
  const { findNotes } = await import("./find-notes.ts");
  try {
    const { place } = await findNotes({});
    console.log(printable(`Notes: ${place.vaults.map(({ root }) => root).join(", ")}`));
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    notice(error.message);
    console.error("  try: mkdir knowledge, or export GESTALT_VAULT=FOLDER where the agent is started");
  }
}
