import { command } from "./command.ts";
import { switchHooks } from "./hook/switch.ts";

export default command({
  name: "on",
  description: "Let hooks speak again in a session, or in all of them",
  args: { all: { kind: "boolean", description: "every session, also new ones" } },
  knobs: ["session"],
  async run({ args, settings }) {
    switchHooks("on", args.all ? undefined : settings.session, args.all);
  },
});
