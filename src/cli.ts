import { version } from "../package.json";
import { group, main } from "./commands/command.ts";

/** Every command. Each is loaded when it is run, or listed. */
const root = group({
  name: "gestalt",
  description: "Local search over your Markdown notes, for coding agents and for people",
  commands: {
    add: () => import("./commands/add.ts"),
    bench: () => import("./commands/bench.ts"),
    doctor: () => import("./commands/doctor.ts"),
    eval: () => import("./commands/eval.ts"),
    gc: () => import("./commands/gc.ts"),
    graph: () => import("./commands/graph.ts"),
    hook: () => import("./commands/hook.ts"),
    inbox: () => import("./commands/inbox.ts"),
    index: () => import("./commands/index.ts"),
    injections: () => import("./commands/injections.ts"),
    install: () => import("./commands/install.ts"),
    list: () => import("./commands/list.ts"),
    manifest: () => import("./commands/manifest.ts"),
    mcp: () => import("./commands/mcp.ts"),
    model: () => import("./commands/model.ts"),
    off: () => import("./commands/off.ts"),
    on: () => import("./commands/on.ts"),
    read: () => import("./commands/read.ts"),
    reproduce: () => import("./commands/reproduce.ts"),
    route: () => import("./commands/route.ts"),
    search: () => import("./commands/search.ts"),
    serve: () => import("./commands/serve.ts"),
    sessions: () => import("./commands/sessions.ts"),
    settings: () => import("./commands/settings.ts"),
    status: () => import("./commands/status.ts"),
    "sync-cursor": () => import("./commands/sync-cursor.ts"),
    uninstall: () => import("./commands/uninstall.ts"),
  },
});

// No top-level await: the executable could then hold no bytecode, and start half as fast.
main(root, version, process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // A hook is over when it has answered, whether or not its caller ever closes stdin.
  if (process.argv[2] === "hook") process.exit();
});
