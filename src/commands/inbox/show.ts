import { stateDir } from "../../settings.ts";
import { command } from "../command.ts";
import { notice, printable } from "../failure.ts";

export default command({
  name: "show",
  description: "A proposal as a diff, its reason, and the sections nearest to it",
  args: {
    id: { kind: "positional", required: true, description: "as gestalt inbox list shows it; its beginning will do" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { proposalCalled } = await import("../../agents/inbox/proposal.ts");
    const { diffOf } = await import("../../agents/inbox/diff.ts");
    const { remarksOn } = await import("../../agents/inbox/propose.ts");
    const proposal = proposalCalled(stateDir(), args.id);
    const remarks = remarksOn(proposal);
    if (args.json) {
      console.log(JSON.stringify({ ...proposal, remarks }));
      return;
    }
    console.log(printable(`${proposal.id}, proposed ${proposal.created.slice(0, 10)}: ${proposal.reason}`));
    for (const { id, title, headings } of proposal.near)
      console.log(printable(`near: ${id}  ${[title, ...headings].filter(Boolean).join(" > ")}`));
    console.log(`\n${diffOf(proposal).split("\n").map(printable).join("\n")}`);
    for (const remark of remarks) notice(remark);
  },
});
