import { messageOf } from "../../errors.ts";
import { resolveSettings } from "../../settings.ts";
import { command } from "../command.ts";
import { hookState } from "./state.ts";
import { stdinInTime } from "./stdin.ts";

const knobs = ["vault", "db", "search-dir", "audit-log", "edit-backup", "session-retention-days"] as const;

export default command({
  name: "audit",
  description: "Write down what an agent is about to do, and copy a note before its edit, where the settings say so",
  args: {},
  silent: true,
  async run() {
    const { parseInput } = await import("../../agents/hooks/input.ts");
    const input = parseInput(await stdinInTime());
    if (input === undefined) return;
    const { findConfig, locate } = await import("../../engine/place.ts");
    const { keepCopies, record } = await import("../../agents/audit.ts");
    const { addFault } = await import("../../agents/faults.ts");
    const state = hookState();
    try {
      const cwd = input.cwd ?? process.cwd();
      const config = await findConfig(cwd);
      const { values } = resolveSettings({ config }, knobs);
      const now = new Date();
      if (values["audit-log"]) record(state, input, now);
      if (!values["edit-backup"]) return;
      const { vault, db, "search-dir": searchDir, "session-retention-days": days } = values;
      keepCopies(state, input, locate({ vault, db, searchDir, config, cwd }).vaults, { days, now });
    } catch (error) {
      addFault(state, "audit", messageOf(error));
    }
  },
});
