import { command } from "../command.ts";
import { printable } from "../failure.ts";
import { megabytes, openShelf } from "./shelf.ts";

export default command({
  name: "list",
  description: "Show every model, and which are here",
  args: { json: { kind: "boolean", description: "one JSON object" } },
  async run({ args }) {
    const shelf = await openShelf();
    const listed = shelf.list();
    if (args.json) {
      console.log(JSON.stringify({ folder: shelf.models, models: listed }));
      return;
    }
    const width = Math.max(...listed.map(({ id }) => id.length));
    for (const { id, dtype, usual, state, bytes, licence, fetchable, note } of listed) {
      const how = state === "absent" && !fetchable ? "import only" : state;
      const columns = [id.padEnd(width), `${dtype}${usual ? " *" : ""}`.padEnd(9), how.padEnd(11)];
      const about = [licence, note].filter(Boolean).join("; ");
      console.log(printable([...columns, megabytes(bytes).padStart(7), about].join("  ").trimEnd()));
    }
    console.log(printable(`* is what get and import take when no --dtype is given; they are kept in ${shelf.models}`));
  },
});
