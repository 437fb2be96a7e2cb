import { command } from "../command.ts";
import { notice, printable } from "../failure.ts";
import { benchKnobs, benchPlace, seals } from "./place.ts";

export default command({
  name: "verify",
  description: "Look whether a sealed data set is still what it was",
  args: {
    dataset: { kind: "positional", required: true, description: "a data set, as for gestalt bench" },
    data: { kind: "path", description: "the folder that holds the data sets" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { placesOf } = await import("../../bench/load.ts");
    const dir = placesOf(args.dataset, benchPlace(flags, args.data).data)[0]?.dir ?? args.dataset;
    const { verify } = await import("../../bench/heldout.ts");
    const problems = verify(seals, args.dataset, dir);
    for (const problem of problems) notice(problem);
    if (problems.length === 0) console.log(`${printable(args.dataset)} is as it was sealed`);
    return problems.length === 0 ? 0 : 1;
  },
});
