import { resolve } from "node:path";
import { expandHome } from "../../settings.ts";
import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { dtypeArg, idArg, openShelf } from "./shelf.ts";

export default command({
  name: "import",
  description: "Take a model's weights from a file or folder on this machine",
  args: {
    model: idArg,
    from: {
      kind: "positional",
      required: true,
      description: "a folder laid out as the model's repository, or flat; or one file",
    },
    dtype: dtypeArg,
  },
  async run({ args }) {
    const shelf = await openShelf();
    const from = resolve(expandHome(args.from));
    const placed = await shelf.import({ id: args.model, dtype: args.dtype }, from);
    console.log(printable(`${args.model}: ${placed.join(", ")} placed in ${shelf.models}`));
    const left = (await shelf.verify({ id: args.model, dtype: args.dtype })).filter(
      ({ problem }) => problem !== undefined,
    );
    for (const { path, problem } of left) console.log(printable(`${args.model}: ${path} is ${problem}`));
    return left.length > 0 ? 1 : 0;
  },
});
