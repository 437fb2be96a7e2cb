import { agreed, files, nothingWritten, showPlan } from "./carry-out.ts";
import { command } from "./command.ts";
import { clientsNamed, siteOf } from "./site.ts";

export default command({
  name: "uninstall",
  description: "Take out again what install put into a client's settings",
  args: {
    clients: {
      kind: "positional",
      many: true,
      description: "claude, cursor, codex, gemini, vscode; without one, all",
    },
    project: { kind: "boolean", description: "from the project in this folder (so it is unless --user)" },
    user: { kind: "boolean", description: "from your own settings" },
    yes: { kind: "boolean", description: "write without asking" },
  },
  async run({ args }) {
    const { planUninstall } = await import("../agents/install/plan.ts");
    const { apply } = await import("../agents/install/apply.ts");
    const { putContextRule } = await import("../agents/cursor/context.ts");
    const { clientNames, clients } = await import("../agents/install/clients.ts");
    const { stateDir } = await import("../settings.ts");
    const site = siteOf({ ...args, guard: true, audit: true });
    const state = stateDir();
    const named = clientsNamed(args.clients);
    const plans = (named.length > 0 ? named : clientNames).map((client) => planUninstall(client, site, state));
    const found = plans.filter(({ changes, kept, problems }) => changes.length + kept.length + problems.length > 0);
    if (found.every(({ changes }) => changes.length === 0)) console.log("nothing of gestalt is installed here");
    for (const plan of found) {
      const title = clients[plan.client].title;
      await showPlan(plan);
      if (plan.changes.length === 0) continue;
      if (!args.yes && !agreed(`Take this out of ${title}?`))
        return nothingWritten(`gestalt uninstall ${plan.client}${args.user ? " --user" : ""}`);
      apply(plan, state);
      if (plan.client === "cursor" && site.scope === "project") putContextRule(site.project, "");
      console.log(`${title}: ${files(plan.changes.length)} put back or removed`);
    }
    return found.some(({ problems }) => problems.length > 0) ? 1 : 0;
  },
});
