import { version } from "../package.json";
import { group, main } from "./commands/command.ts";

/** Every command. Each is loaded when it is run, or listed. */
const root = group({
  name: "gestalt",
  description: "Local search over your Markdown notes, for coding agents and for people",
  commands: {
    index: () => import("./commands/index.ts"),
    read: () => import("./commands/read.ts"),
    search: () => import("./commands/search.ts"),
    settings: () => import("./commands/settings.ts"),
    status: () => import("./commands/status.ts"),
  },
});

// No top-level await: the executable could then hold no bytecode, and start half as fast.
main(root, version, process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
