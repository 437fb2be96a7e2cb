import { stateDir } from "../../settings.ts";
import { command } from "../command.ts";
import { printable } from "../failure.ts";

export default command({
  name: "reject",
  description: "Drop a proposal",
  args: {
    id: { kind: "positional", required: true, description: "as gestalt inbox list shows it; its beginning will do" },
  },
  async run({ args }) {
    const { drop, proposalCalled } = await import("../../agents/inbox/proposal.ts");
    const proposal = proposalCalled(stateDir(), args.id);
    drop(stateDir(), proposal);
    console.log(printable(`dropped: ${proposal.id} (${proposal.path})`));
  },
});
