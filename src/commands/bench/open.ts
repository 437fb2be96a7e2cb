import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { seals } from "./place.ts";

export default command({
  name: "open",
  description: "Open a sealed data set, once, with a reason that is kept",
  args: {
    dataset: { kind: "positional", required: true, description: "a sealed data set" },
    reason: { kind: "text", description: "why it is looked at now" },
    reopen: { kind: "boolean", description: "open it again" },
  },
  async run({ args }) {
    const { open } = await import("../../bench/heldout.ts");
    const { dataset, openings } = open(seals, args.dataset, args.reason ?? "", args.reopen, new Date());
    console.log(
      `${printable(dataset)} is open, for the ${openings.length}. time; keep bench/heldout under version control`,
    );
  },
});
