import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { clientFolders, configDir, homeDir } from "../../settings.ts";
import { command } from "../command.ts";
import { stdinInTime } from "./stdin.ts";

export default command({
  name: "guard",
  description: "Refuse or ask before an agent does what cannot be undone (reads the call on stdin)",
  args: {},
  silent: true,
  async run() {
    const { answer } = await import("../../agents/guard/event.ts");
    const file = join(configDir(), "guard.yml");
    const { noRules } = await import("../../agents/guard/verdict.ts");
    const own = existsSync(file) ? (await import("../../agents/guard/own.ts")).readOwnRules(file) : noRules;
    const { claude, codex } = clientFolders();
    const ground = { cwd: process.cwd(), home: homeDir(), settings: [claude, codex] };
    const said = answer(await stdinInTime(), ground, own);
    // Written at once: the process may end right after.
    if (said !== "") writeSync(1, `${said}\n`);
  },
});
