import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { idArg, openShelf } from "./shelf.ts";

export default command({
  name: "remove",
  description: "Delete a model's weights from this machine",
  args: { model: idArg },
  async run({ args }) {
    const removed = (await openShelf()).remove(args.model);
    console.log(printable(`${args.model}: ${removed ? "removed" : "was not here"}`));
    return removed ? 0 : 1;
  },
});
