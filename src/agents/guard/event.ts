import { type Fields, objectIn, textOf } from "../hooks/input.ts";
import { toolCallIn } from "../tool-call.ts";
import { judgeWrite } from "./files.ts";
import { judgeMcp } from "./mcp.ts";
import { type Ground, groundAt } from "./places.ts";
import { judgePowerLine } from "./powershell.ts";
import { judgeShell } from "./shell.ts";
import { ask, gravest, type Own, type Verdict } from "./verdict.ts";

type Client = "claude" | "codex" | "cursor" | "gemini";

/** Longer command lines are not read; nobody types them. Characters. */
const longest = 100_000;

/**
 * Answers a client's question before a tool is used.
 *
 * @param stdin what the client wrote: the JSON of PreToolUse (Claude Code, Codex), BeforeTool (Gemini CLI),
 *   beforeShellExecution, beforeMCPExecution or preToolUse (Cursor)
 * @param ground home, folders of settings, and the folder to take when the client names none
 * @returns one line of JSON, or "" when there is nothing to say
 */
export function answer(stdin: string, ground: Pick<Ground, "cwd" | "home" | "settings">, own: Own): string {
  const fields = objectIn(stdin);
  if (fields === undefined) return "";
  const roots = fields["workspace_roots"];
  const cwd = textOf(fields["cwd"]) ?? (Array.isArray(roots) ? textOf(roots[0]) : undefined) ?? ground.cwd;
  const verdict = judgeCall(fields, groundAt(cwd, ground.home, ground.settings), own);
  return shaped(verdict, clientOf(fields), own.fault);
}

function clientOf(fields: Fields): Client {
  if (fields["conversation_id"] !== undefined || fields["cursor_version"] !== undefined) return "cursor";
  if (fields["hook_event_name"] === "BeforeTool") return "gemini";
  return fields["turn_id"] === undefined ? "claude" : "codex";
}

function judgeCall(fields: Fields, ground: Ground, own: Own): Verdict | undefined {
  const { tool, input, line, isPowerShell, files, isMcp } = toolCallIn(fields);
  if (line !== undefined)
    return isPowerShell
      ? judgePowerLine(line, ground, (part) => judgeLine(part, ground, own))
      : judgeLine(line, ground, own);
  if (!isMcp) return gravest(files.map((path) => judgePath(path, ground, own)));
  const said = own.judge("tool", tool);
  return said === "allow" ? undefined : gravest([said, judgeMcp(tool, input)]);
}

function judgeLine(line: string, ground: Ground, own: Own): Verdict | undefined {
  if (line.length > longest) return ask("length", "a command line too long to be read");
  return judgeShell(line, ground, (argv) => own.judge("command", argv.join(" ")));
}

function judgePath(path: string, ground: Ground, own: Own): Verdict | undefined {
  const said = own.judge("path", path);
  return said === "allow" ? undefined : gravest([said, judgeWrite(path, ground)]);
}

/** A verdict in the client's words. Where a client cannot ask, a question is a refusal that says whom to ask. */
function shaped(verdict: Verdict | undefined, client: Client, fault: string | undefined): string {
  const notice = fault === undefined ? {} : { systemMessage: `gestalt: ${fault}` };
  if (verdict === undefined) return fault === undefined || client !== "claude" ? "" : JSON.stringify(notice);
  const { decision, reason } = verdict;
  const said = `gestalt guard: ${reason}.`;
  const refused = decision === "deny" ? said : `${said} Ask the person to do it, or to allow it.`;
  switch (client) {
    case "cursor":
      return JSON.stringify({ permission: decision, user_message: said, agent_message: refused });
    case "gemini":
      return JSON.stringify({ decision: "deny", reason: refused });
    default:
      return JSON.stringify({
        ...notice,
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: client === "codex" ? "deny" : decision,
          permissionDecisionReason: client === "codex" ? refused : said,
        },
      });
  }
}
