import { command } from "../command.ts";
import { notice, printable } from "../failure.ts";
import { dtypeArg, openShelf } from "./shelf.ts";

export default command({
  name: "verify",
  description: "Hash the weights anew; exit 1 when a file is not what it should be",
  args: {
    model: { kind: "positional", description: "a model; all that are here when not given" },
    dtype: dtypeArg,
  },
  async run({ args }) {
    const shelf = await openShelf();
    const chosen =
      args.model === undefined
        ? shelf.list().filter(({ state }) => state === "present" || state === "partial")
        : [{ id: args.model, dtype: args.dtype }];
    if (chosen.length === 0) notice("no model is here but the built-in one, which is checked when it is unpacked");
    let bad = 0;
    for (const { id, dtype } of chosen) {
      const checked = await shelf.verify({ id, dtype });
      for (const { path, problem } of checked) console.log(printable(`${id} ${path}: ${problem ?? "as it should be"}`));
      if (checked.length === 0) console.log(printable(`${id}: built-in, checked when it is unpacked`));
      bad += checked.filter(({ problem }) => problem !== undefined).length;
    }
    if (bad > 0) notice(`${bad} files are not what they should be: gestalt model remove, then gestalt model get`);
    return bad > 0 ? 1 : 0;
  },
});
