import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { progressBar } from "../progress.ts";
import { dtypeArg, idArg, megabytes, openShelf } from "./shelf.ts";

export default command({
  name: "get",
  description: "Fetch a model's weights, going on where an earlier try stopped",
  args: { model: idArg, dtype: dtypeArg },
  async run({ args }) {
    const shelf = await openShelf();
    const bars = new Map<string, ReturnType<typeof progressBar>>();
    const got = await shelf
      .get({ id: args.model, dtype: args.dtype }, ({ path, received, total }) => {
        const bar = bars.get(path) ?? progressBar(`${path} (kB)`);
        bars.set(path, bar);
        bar.show(Math.round(received / 1000), Math.round((total ?? received) / 1000));
      })
      .finally(() => {
        for (const bar of bars.values()) bar.done();
      });
    const { id, dtype, state, bytes } = got;
    console.log(
      printable(`${id} ${dtype}: ${state}, ${megabytes(bytes)}${state === "built-in" ? "" : `, in ${shelf.models}`}`),
    );
  },
});
