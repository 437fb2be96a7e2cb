import { version } from "../package.json";
import { group, main } from "./commands/command.ts";

/** Every command. Each is loaded when it is run, or listed. */
const root = group({
  name: "gestalt",
  description: "Local search over your Markdown notes, for coding agents and for people",
  commands: {
    bench: () => import("./commands/bench.ts"),
    index: () => import("./commands/index.ts"),
    install: () => import("./commands/install.ts"),
    mcp: () => import("./commands/mcp.ts"),
    read: () => import("./commands/read.ts"),
    search: () => import("./commands/search.ts"),
    settings: () => import("./commands/settings.ts"),
    status: () => import("./commands/status.ts"),
    uninstall: () => import("./commands/uninstall.ts"),
  },
});

// No top-level await: the executable could then hold no bytecode, and start half as fast.
main(root, version, process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
