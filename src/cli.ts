import { version } from "../package.json";
import { group, main } from "./commands/command.ts";

/** Every command. Each is loaded when it is run, or listed. */
const root = group({
  name: "gestalt",
  description: "Local search over your Markdown notes, for coding agents and for people",
  commands: {
    settings: () => import("./commands/settings.ts"),
  },
});

process.exitCode = await main(root, version, process.argv.slice(2));
