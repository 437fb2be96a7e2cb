import { command } from "./command.ts";
import { switchHooks } from "./hook/switch.ts";

export default command({
  name: "off",
  description: "Keep hooks silent in a session, or in all of them",
  args: { all: { kind: "boolean", description: "every session, also new ones" } },
  knobs: ["session"],
  async run({ args, settings }) {
    switchHooks("off", args.all ? undefined : settings.session, args.all);
  },
});
