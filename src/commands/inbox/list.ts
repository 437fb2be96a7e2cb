import { stateDir } from "../../settings.ts";
import { command } from "../command.ts";
import { printable } from "../failure.ts";

export default command({
  name: "list",
  description: "Every proposal that waits, oldest first",
  args: { json: { kind: "boolean", description: "one JSON object" } },
  async run({ args }) {
    const { waiting } = await import("../../agents/inbox/proposal.ts");
    const proposals = waiting(stateDir());
    if (args.json) {
      console.log(JSON.stringify({ proposals: proposals.map(({ text: _, ...rest }) => rest) }));
      return;
    }
    for (const { id, path, base, reason } of proposals)
      console.log(
        printable(`${id}  ${base === undefined ? "new   " : "change"}  ${path}  ${reason.replace(/\s+/g, " ")}`),
      );
    if (proposals.length === 0) console.log("nothing waits");
  },
});
