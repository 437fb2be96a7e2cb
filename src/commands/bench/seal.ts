import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { benchKnobs, benchPlace, seals } from "./place.ts";

export default command({
  name: "seal",
  description: "Write down what a data set is, before anything is measured on it",
  args: {
    dataset: { kind: "positional", required: true, description: "a data set, as for gestalt bench" },
    split: { kind: "text", description: "whose questions (default test)" },
    data: { kind: "path", description: "the folder that holds the data sets" },
  },
  knobs: benchKnobs,
  async run({ args, flags }) {
    const { placesOf } = await import("../../bench/load.ts");
    const dir = placesOf(args.dataset, benchPlace(flags, args.data).data)[0]?.dir ?? args.dataset;
    const { seal } = await import("../../bench/heldout.ts");
    const { dataset, queries, documents } = seal(seals, args.dataset, dir, args.split ?? "test", new Date());
    console.log(`${printable(dataset)}: ${documents} documents and ${queries.count} queries are sealed`);
  },
});
