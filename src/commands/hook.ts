import type { EventName } from "../agents/hooks/events.ts";
import { group } from "./command.ts";

const load = (event: EventName) => async () => ({
  default: (await import("./hook/event.ts")).hookCommand(event),
});

export default group({
  name: "hook",
  description: "What agents call at their events: JSON on stdin, JSON or nothing on stdout",
  silent: true,
  commands: {
    "session-start": load("session-start"),
    prompt: load("prompt"),
    subagent: load("subagent"),
    file: load("file"),
    "post-tool": load("post-tool"),
    edited: load("edited"),
    compacted: load("compacted"),
    stop: load("stop"),
    "session-end": load("session-end"),
    guard: () => import("./hook/guard.ts"),
    audit: () => import("./hook/audit.ts"),
  } satisfies Record<EventName | "guard" | "audit", unknown>,
});
